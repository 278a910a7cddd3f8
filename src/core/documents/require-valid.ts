import type { Document } from '../../model/document.ts'
import type { Properties } from '../../model/property.ts'
import type { Shape } from '../../model/shape.ts'
import { type ReferenceToCheck, requireNoViolations, validate, violationOfReference } from '../../model/validation.ts'
import type { Violation } from '../../model/violation.ts'
import { unknownProperty } from '../../model/xpath.ts'
import type { SaveOptions } from '../save-options.ts'
import type { Session } from '../session.ts'

/**
 * Checks the document's properties, all of them or only the named ones, references included.
 * @throws unknownProperty, whoever asks; validationFailed with every violation found.
 */
export async function requireValid(
  session: Session,
  document: Document,
  { validation }: SaveOptions,
  names?: ReadonlySet<string>,
): Promise<void> {
  const shape = session.model.shapeOf(document)
  requireKnown(shape, document.properties, names ?? Object.keys(document.properties))
  if (validation === false) return
  const { violations, references } = validate(shape, document.properties, names)
  const dangling = await listDangling(session, references)
  requireNoViolations([...violations, ...dangling])
}

/** What the document has no field for is nothing that anybody could read back. */
function requireKnown(shape: Shape, properties: Properties, names: Iterable<string>): void {
  for (const name of names) {
    if (!shape.properties.has(name) && (properties[name] ?? null) !== null) throw unknownProperty({ xpath: name })
  }
}

async function listDangling(session: Session, references: readonly ReferenceToCheck[]): Promise<Violation[]> {
  const dangling: Violation[] = []
  for (const reference of references) {
    const found = await session.repository.references.find(session, reference.resolver, reference.value)
    if (found === undefined) dangling.push(violationOfReference(reference))
  }
  return dangling
}
