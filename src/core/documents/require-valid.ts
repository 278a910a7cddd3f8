import type { Document } from '../../model/document.ts'
import { type ReferenceToCheck, requireNoViolations, validate, violationOfReference } from '../../model/validation.ts'
import type { Violation } from '../../model/violation.ts'
import type { Session } from '../session.ts'

/**
 * Checks the document's properties, all of them or only the named ones, references included.
 * @throws validationFailed with every violation found.
 */
export async function requireValid(session: Session, document: Document, names?: ReadonlySet<string>): Promise<void> {
  const shape = session.model.shapeOf(document)
  const { violations, references } = validate(shape, document.properties, names)
  const dangling = await listDangling(session, references)
  requireNoViolations([...violations, ...dangling])
}

async function listDangling(session: Session, references: readonly ReferenceToCheck[]): Promise<Violation[]> {
  const dangling: Violation[] = []
  for (const reference of references) {
    const found = await session.repository.references.find(session, reference.resolver, reference.value)
    if (found === undefined) dangling.push(violationOfReference(reference))
  }
  return dangling
}
