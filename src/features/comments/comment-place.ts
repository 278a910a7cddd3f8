import { defineProblem } from '../../base/problem.ts'
import { getOrCreateChild } from '../../core/documents/get-or-create-child.ts'
import { documentNotFound, readDocument } from '../../core/documents/read-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { joinPath } from '../../model/path-segment.ts'
import { textsOf } from '../../model/properties/property-texts.ts'

export const rootType = 'CommentRoot'
const usualName = 'Comments'

export const noPlaceForComments = defineProblem(
  'noPlaceForComments',
  'conflict',
  (of: { id: string; reason: string }) => `There is no place for comments on ${of.id}: ${of.reason}.`,
)

/** Whether the document is a comment, an annotation or another kind of either. */
export function isComment(model: Model, { type, isProxy }: Pick<Document, 'type' | 'isProxy'>): boolean {
  return !isProxy && model.shapeOf({ type }).hasSchema('comment')
}

/** From what the comment is about directly up to the document that the thread is about. */
export function ancestorIdsOf(comment: Document): readonly string[] {
  return textsOf(comment, 'comment:ancestorIds')
}

/**
 * The document that the thread of a comment is about, which decides who may see it. Undefined for what somebody with all rights put
 * somewhere by hand. @throws privilegeMissing
 */
export async function findTopLevel(session: Session, comment: Document): Promise<Document | undefined> {
  const id = ancestorIdsOf(comment).at(-1)
  if (id === undefined || (await session.reader.documents.find(id)) === undefined) return undefined
  return readDocument(session, id)
}

/**
 * What holds the first comments of all threads about a document: below it, so that they have its rights, move and go with it. Nothing can
 * be below a version, so its comments are beside those of its live document.
 */
export async function findCommentRoot(session: Session, document: Document): Promise<Document | undefined> {
  const home = await findHome(session, document)
  if (home === undefined || home.path === null) return undefined
  const { path } = home
  const found = await session.reader.documents.findAllByPath(rootNames(document).map((name) => joinPath(path, name)))
  const roots = found.filter(isRoot)
  // The second name is taken where something else had the first; that may be gone by now.
  return roots.find(({ name }) => name !== usualName) ?? roots[0]
}

/** @throws noPlaceForComments, placelessHasNoChildren */
export async function getOrCreateCommentRoot(system: WriteSession, document: Document): Promise<Document> {
  const found = await findCommentRoot(system, document)
  if (found !== undefined) return found
  const home = await findHome(system, document)
  if (home === undefined) throw noPlaceForComments({ id: document.id, reason: 'it is a version, and its live document is gone' })
  for (const name of rootNames(document)) {
    const root = await getOrCreateChild(system, home, name, () => ({
      type: rootType,
      properties: { 'dc:title': usualName },
      options: { audit: false },
    }))
    if (isRoot(root)) return root
  }
  throw noPlaceForComments({
    id: document.id,
    reason: `other documents below it have the names ${rootNames(document).join(', ')}`,
  })
}

/** A folder may have a child of that name. */
function rootNames({ id, isVersion }: Document): readonly string[] {
  const ownName = `${usualName}.${id}`
  return isVersion ? [ownName] : [usualName, ownName]
}

function isRoot({ type, isProxy }: Document): boolean {
  return type === rootType && !isProxy
}

function findHome(session: Session, document: Document): Promise<Document | undefined> {
  const { documents } = session.reader
  return documents.find(document.isVersion ? (document.seriesId ?? '') : document.id)
}

/** What a comment is about directly: a document or another comment. @throws documentNotFound */
export async function readCommented(session: Session, comment: Document): Promise<Document> {
  const [id = ''] = ancestorIdsOf(comment)
  const commented = await session.reader.documents.find(id)
  if (commented === undefined) throw documentNotFound({ reference: id })
  return commented
}
