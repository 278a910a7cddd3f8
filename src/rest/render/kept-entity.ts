import { stringifyJson } from '../../base/json.ts'
import { isWriting } from '../../core/session.ts'
import { type Document, roomIn } from '../../model/document.ts'
import { writeDocument } from './document-entity.ts'
import type { RenderContext } from './rendering.ts'

/** What was asked for, and the text that answers it. */
interface KeptText {
  readonly baseUrl: string
  readonly schemas: readonly string[]
  readonly text: string
}

// Clients ask for the same few schemas again and again; whoever makes up new ones gains nothing here.
const mostTexts = 4

/**
 * The entity of a document as JSON text, kept for as long as the document itself is: a changed one is another value, so it
 * cannot go stale. Undefined when the entity depends on
 * more than the document: on the caller, on other documents or on the time.
 */
export function keptEntityText(context: RenderContext, document: Document): string | undefined {
  if (!isOfDocumentAlone(context, document)) return undefined
  const kept = roomIn(document) as KeptText[] | undefined
  const known = kept?.find((one) => isAsked(one, context))
  if (known !== undefined) return known.text
  const entity = writeDocument(context, document)
  if (entity instanceof Promise) return undefined
  const text = stringifyJson(entity)
  const fresh = { baseUrl: context.request.baseUrl, schemas: context.schemas, text }
  if (kept !== undefined && kept.length < mostTexts) kept.push(fresh)
  return text
}

function isAsked(kept: KeptText, { request, schemas }: RenderContext): boolean {
  return (
    kept.baseUrl === request.baseUrl &&
    kept.schemas.length === schemas.length &&
    kept.schemas.every((schema, index) => schema === schemas[index])
  )
}

function isOfDocumentAlone(context: RenderContext, document: Document): boolean {
  // What a transaction has just made nobody will ask for again under this very value.
  if (isWriting(context.session)) return false
  if (document.isVersion || document.isProxy || document.retainUntil !== null) return false
  return (
    context.fetch('document').length === 0 && context.enrichers('document').length === 0 && context.enrichers('blob').length === 0
  )
}
