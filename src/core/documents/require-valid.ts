import { createYieldPoint } from '../../base/event-loop.ts'
import { cleanHtml, deepestHtml, findHtmlExcess, type HtmlExcess, mayBeMarkup } from '../../base/html/clean-html.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import type { Resolver } from '../../model/field.ts'
import type { HtmlProperty, Model } from '../../model/model.ts'
import type { Properties } from '../../model/properties/property.ts'
import { type ReferenceToCheck, requireNoViolations, validate, violationOfReference } from '../../model/properties/validation.ts'
import { requireBounded } from '../../model/properties/value-bounds.ts'
import type { Violation } from '../../model/properties/violation.ts'
import { unknownProperty } from '../../model/properties/xpath.ts'
import type { Shape } from '../../model/shape.ts'
import type { SaveOptions } from '../save-options.ts'
import type { Session, WriteSession } from '../session.ts'

const htmlTooMuch = defineProblem('htmlTooMuch', 'invalid', (of: { property: string; maxLength: number; excess: HtmlExcess }) =>
  of.excess.kind === 'long'
    ? `${of.property} is shown as HTML and has ${of.excess.length} characters beside its images, of which ${of.maxLength} are allowed. Make it a file.`
    : `${of.property} is shown as HTML and has more than ${deepestHtml} elements in each other. Close its tags, or make it a file.`,
)

/**
 * A document that is about to be stored, what people are shown as HTML cleaned of all that a browser would run. What is as it was
 * `before` is clean. @throws htmlTooMuch
 */
export async function withCleanHtml(session: WriteSession, document: Document, before?: Document): Promise<Document> {
  let { properties } = document
  for (const property of session.model.htmlProperties) {
    const text = htmlToClean(property, properties, before?.properties)
    if (text !== undefined) properties = { ...properties, [property.name]: await clean(session, property, text) }
  }
  return properties === document.properties ? document : { ...document, properties }
}

function htmlToClean({ name, unless }: HtmlProperty, properties: Properties, before?: Properties): string | undefined {
  const text = properties[name]
  if (typeof text !== 'string' || !mayBeMarkup(text)) return undefined
  const kind = unless && properties[unless.name]
  if (typeof kind === 'string' && unless?.is.includes(kind)) return undefined
  // A text that was plain until now was never cleaned.
  const isAsBefore = before?.[name] === text && (unless === undefined || before[unless.name] === kind)
  return isAsBefore ? undefined : text
}

async function clean({ repository }: WriteSession, { name }: HtmlProperty, text: string): Promise<string> {
  const maxLength = repository.rules.maxHtmlLength
  const excess = findHtmlExcess(text, { maxLength })
  if (excess !== undefined) throw htmlTooMuch({ property: name, maxLength, excess })
  return cleanHtml(text)
}

/**
 * Checks the document's properties, all of them or only the named ones, references included.
 * @throws unknownProperty and what exceeds a bound, even without validation; validationFailed with every violation found.
 */
export async function requireValid(
  session: Session,
  document: Document,
  { validation }: SaveOptions,
  names?: ReadonlySet<string>,
): Promise<void> {
  requireBounded(document.properties, session.repository.rules.valueBounds, fieldsOf(session.model))
  const shape = session.model.shapeOf(document)
  requireKnown(shape, document.properties, names ?? Object.keys(document.properties))
  if (validation === false) return
  const { violations, references } = validate(shape, document.properties, names)
  const dangling = await listDangling(session, references)
  requireNoViolations([...violations, ...dangling])
}

const fieldsOf = (model: Model) => (property: string) => model.findProperty(property)?.field

/** What the document has no field for could not be read back by any client. */
function requireKnown(shape: Shape, properties: Properties, names: Iterable<string>): void {
  for (const name of names) {
    if (!shape.properties.has(name) && (properties[name] ?? null) !== null) throw unknownProperty({ xpath: name })
  }
}

async function listDangling(session: Session, references: readonly ReferenceToCheck[]): Promise<readonly Violation[]> {
  if (references.length === 0) return []
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
