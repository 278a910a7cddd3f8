import { createYieldPoint } from '../../base/event-loop.ts'
import type { Document } from '../../model/document.ts'
import type { Resolver } from '../../model/field.ts'
import type { Properties } from '../../model/properties/property.ts'
import { type ReferenceToCheck, requireNoViolations, validate, violationOfReference } from '../../model/properties/validation.ts'
import { requireBounded } from '../../model/properties/value-bounds.ts'
import type { Violation } from '../../model/properties/violation.ts'
import { unknownProperty } from '../../model/properties/xpath.ts'
import type { Shape } from '../../model/shape.ts'
import type { SaveOptions } from '../save-options.ts'
import type { Session } from '../session.ts'

/**
 * Checks the document's properties, all of them or only the named ones, references included.
 * @throws unknownProperty and what exceeds a bound, whoever asks; validationFailed with every violation found.
 */
export async function requireValid(
  session: Session,
  document: Document,
  { validation }: SaveOptions,
  names?: ReadonlySet<string>,
): Promise<void> {
  requireBounded(document.properties, session.repository.rules.valueBounds)
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
  const known = new Map<Resolver, Map<string, boolean>>()
  const yieldPoint = createYieldPoint()
  for (const reference of references) {
    const { resolver, value } = reference
    const values = known.get(resolver) ?? new Map<string, boolean>()
    known.set(resolver, values)
    const isFound = values.get(value) ?? (await session.repository.references.find(session, resolver, value)) !== undefined
    values.set(value, isFound)
    if (!isFound) dangling.push(violationOfReference(reference))
    await yieldPoint()
  }
  return dangling
}
