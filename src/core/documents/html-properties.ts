import { cleanHtml, deepestHtml, findHtmlExcess, type HtmlExcess, mayBeMarkup } from '../../base/clean-html.ts'
import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import type { HtmlProperty } from '../../model/model.ts'
import type { Properties } from '../../model/properties/property.ts'
import type { WriteSession } from '../session.ts'

export const htmlTooMuch = defineProblem(
  'htmlTooMuch',
  'invalid',
  (of: { property: string; maxLength: number; excess: HtmlExcess }) =>
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
