import { newId } from '../../base/ids.ts'
import { isJsonObject } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import { emptyDocument } from '../../core/documents/empty-document.ts'
import { readDocument, readDocumentByPath } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { OperationContext } from '../run/context.ts'

export const noCurrentDocument = defineProblem(
  'noCurrentDocument',
  'invalid',
  (of: { reference: string }) => `${of.reference} is relative, and there is no document that it could be relative to.`,
)

export const notADocumentEntity = defineProblem(
  'notADocumentEntity',
  'invalid',
  (_: object) => 'A document entity must have a uid, or the type of a document that is not stored.',
)

/** The document that a text names: an id, a path, `repository:id`, or `./child` of the document at hand. @throws documentNotFound */
export async function readReference(session: Session, context: OperationContext, reference: string): Promise<Document> {
  const text = reference.trim()
  if (text.startsWith('/')) return readDocumentByPath(session, text)
  if (isRelative(text)) return readDocumentByPath(session, await readRelativePath(session, context, text))
  const colon = text.indexOf(':')
  return readDocument(session, colon < 0 ? text : text.slice(colon + 1))
}

function isRelative(reference: string): boolean {
  return reference === '.' || reference.startsWith('./')
}

async function readRelativePath(session: Session, context: OperationContext, reference: string): Promise<string> {
  const base = await findCurrentPath(session, context)
  if (base === null || base === undefined) throw noCurrentDocument({ reference })
  return `${base === '/' ? '' : base}${reference.slice(1)}` || '/'
}

/** The document at hand is the input of the step, else the one that the client says it is looking at. */
async function findCurrentPath(session: Session, context: OperationContext): Promise<string | null | undefined> {
  const current = context.input.kind === 'document' ? context.input : context.variables.get('currentDocument')
  if (current?.kind === 'document') return current.document.path
  if (current?.kind !== 'string') return undefined
  const reference = current.text.replace(/^doc:/, '')
  return isRelative(reference) ? undefined : (await readReference(session, context, reference)).path
}

/**
 * The document that an entity of a request means. What it says of properties waits for a step that saves; without a `uid` it is a
 * document that was never stored.
 * @throws documentNotFound, notADocumentEntity
 */
export async function readDocumentEntity(session: Session, context: OperationContext, entity: JsonObject): Promise<Document> {
  const { uid, changeToken, properties } = entity
  const sent = isJsonObject(properties) ? properties : {}
  const stored = typeof uid === 'string' && uid !== '' ? await readReference(session, context, uid) : undefined
  const document = stored ?? newDocument(session, entity)
  const shape = session.model.shapeOf(document)
  const changes = await context.host.readProperties(session, { shape, current: document }, sent)
  return context.unsaved.add(document, {
    changes,
    ...(typeof changeToken === 'string' && { changeToken }),
    ...(stored === undefined && { isNew: true }),
  })
}

function newDocument({ model, repository }: Session, { type, name }: JsonObject): Document {
  if (typeof type !== 'string') throw notADocumentEntity({})
  const path = typeof name === 'string' ? name : ''
  return emptyDocument(model, { repository: repository.name, id: newId(), type, name: path, parent: undefined })
}
