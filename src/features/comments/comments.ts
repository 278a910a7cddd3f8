import { randomText } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import { createDocument } from '../../core/documents/create-document.ts'
import { findStored } from '../../core/documents/read-document.ts'
import { removeDocument } from '../../core/documents/remove-document.ts'
import { saveContent } from '../../core/documents/save-document.ts'
import { hasPermission, requirePermission } from '../../core/permissions.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { withFacet } from '../../model/own-facets.ts'
import type { Properties } from '../../model/properties/property.ts'
import type { ChildrenFilter, ChildrenSummary, SortKey } from '../../store/documents.ts'
import { announceComment } from './comment-events.ts'
import { ancestorIdsOf, findCommentRoot, findTopLevel, getOrCreateCommentRoot, isComment, rootType } from './comment-place.ts'

/** The words of the original, which clients compare. */
export const commentNotFound = defineProblem(
  'commentNotFound',
  'notFound',
  (of: { id: string; isExternal?: true }) => `The ${of.isExternal ? 'external ' : ''}comment ${of.id} does not exist.`,
)

export const commentOfAnother = defineProblem(
  'commentOfAnother',
  'forbidden',
  (of: { id: string; user: string }) =>
    `The comment ${of.id} is not by '${of.user}', who has not all rights on its document either: only its author and those may change or remove it.`,
)

export const notCommentable = defineProblem(
  'notCommentable',
  'invalid',
  (of: { id: string }) => `${of.id} holds comments and cannot have any itself. Address the document that it is below.`,
)

export const repliesTooDeep = defineProblem(
  'repliesTooDeep',
  'invalid',
  (of: { id: string; max: number }) =>
    `The comment ${of.id} is the last of ${of.max} replies to each other, which is as deep as a thread goes. Reply to an earlier one.`,
)

/** A comment and the document that its thread is about. */
export interface PlacedComment {
  readonly comment: Document
  readonly topLevel: Document
}

/** Comments, or annotations alone. */
export type CommentType = 'Comment' | 'Annotation'

/** A comment that the caller may read. @throws commentNotFound, privilegeMissing */
export async function readComment(session: Session, id: string, type: CommentType): Promise<PlacedComment> {
  const comment = await findStored(session, id)
  if (comment === undefined || !isOfType(session, comment, type)) throw commentNotFound({ id })
  await requirePermission(session, comment, 'Read')
  const topLevel = await findTopLevel(session, comment)
  if (topLevel === undefined) throw commentNotFound({ id })
  return { comment, topLevel }
}

function isOfType({ model }: Session, document: Document, type: CommentType): boolean {
  return isComment(model, document) && (type === 'Comment' || model.shapeOf({ type: document.type }).hasSchema('annotation'))
}

/**
 * The comment that another system knows by that id, the first of several, anywhere in the threads about the document.
 * @throws commentNotFound
 */
export async function readExternalComment(
  session: Session,
  target: Document,
  entityId: string,
  type: CommentType,
): Promise<PlacedComment> {
  const condition = `comment:ancestorIds = ${quoted(target.id)} AND externalEntity:entityId = ${quoted(entityId)}`
  const query = compile(session, `SELECT * FROM ${type} WHERE ${condition} ORDER BY dc:created`)
  const { documents } = await searchDocuments(session, query, { offset: 0, limit: 1, countLimit: 1 })
  const [found] = documents
  if (found === undefined) throw commentNotFound({ id: entityId, isExternal: true })
  return readComment(session, found.id, type)
}

/** Whether nobody else has said anything about the document before, or with an author, whether they have not. */
export async function isFirstComment(session: Session, { comment, topLevel }: PlacedComment, author?: string): Promise<boolean> {
  const byAuthor = author === undefined ? '' : ` AND comment:author = ${quoted(author)}`
  const others = `comment:ancestorIds = ${quoted(topLevel.id)} AND ecm:uuid <> ${quoted(comment.id)}${byAuthor}`
  const query = compile(session, `SELECT * FROM Comment WHERE ${others}`)
  const { documents } = await searchDocuments(session.asSystem(), query, { offset: 0, limit: 1, countLimit: 1 })
  return documents.length === 0
}

/** What a comment on the target is about in the end: the target, or what that is about itself. @throws privilegeMissing */
export async function readTopLevelOf(session: Session, target: Document): Promise<Document> {
  if (!isComment(session.model, target)) return target
  const topLevel = await findTopLevel(session, target)
  if (topLevel === undefined) throw commentNotFound({ id: target.id })
  return topLevel
}

export interface CommentWindow {
  readonly offset: number
  readonly limit: number
}

export interface CommentPage {
  readonly comments: readonly Document[]
  readonly total: number
}

const newestFirst: readonly SortKey[] = [
  { by: { kind: 'property', name: 'comment:creationDate', isNumeric: false }, descending: true },
]

/** Direct comments on the target, the newest first. The caller may read what they are about. @throws documentsTooLarge */
export async function listComments(session: Session, target: Document, window: CommentWindow): Promise<CommentPage> {
  const parent = isComment(session.model, target) ? target : await findCommentRoot(session, target)
  if (parent === undefined) return { comments: [], total: 0 }
  const filter = await readableBelow(session, parent.id)
  const { documents } = session.reader
  const { maxListedBytes } = session.repository.rules
  const listed = await documents.listChildren(filter, newestFirst, window.limit, window.offset, maxListedBytes)
  const isEnd = listed.length < window.limit && (listed.length > 0 || window.offset === 0)
  const total = isEnd ? window.offset + listed.length : await documents.countChildren(filter, Number.MAX_SAFE_INTEGER)
  return { comments: listed.filter((document) => isComment(session.model, document)), total }
}

async function readableBelow(session: Session, parentId: string): Promise<ChildrenFilter> {
  const readableAcps = await session.repository.acps.readableBy(session, 'Read')
  return { parentId, ...(readableAcps !== undefined && { readableAcps }) }
}

/** How many direct replies each comment has, and when the last was written; those without any are left out. */
export async function summariseReplies(
  session: Session,
  comments: readonly Document[],
): Promise<ReadonlyMap<string, ChildrenSummary>> {
  const ids = comments.map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const readableAcps = await session.repository.acps.readableBy(session, 'Read')
  return session.reader.documents.summariseChildren(ids, 'comment:creationDate', readableAcps)
}

/** What a client says in a comment, by property; null clears. */
export interface CommentDraft {
  readonly properties: Properties
  /** Of the entity of another system. */
  readonly external: Properties
}

const externalFacet = 'ExternalEntity'

/** Clients send null for an external part that there is none of: nothing is cleared then, and it does not begin by that either. */
function saysExternal({ external }: CommentDraft): boolean {
  return Object.values(external).some((value) => value !== null)
}

// A path has room for more where its names are short; the list of ancestors of each would be longer than the thread is worth.
const deepest = 100

/** In the order in which they are written, so that copies of them are made in that order, and short, as the paths of replies are long. */
function nameFor({ now }: Session): string {
  return `${Date.parse(now).toString(36)}${randomText(2)}`
}

/**
 * Stores a comment on a document that the caller may read, or a reply to a comment. The server writes it: a reader may not write
 * below the document. @throws notCommentable, repliesTooDeep, privilegeMissing
 */
export async function addComment(
  session: WriteSession,
  target: Document,
  type: CommentType,
  draft: CommentDraft,
): Promise<PlacedComment> {
  if (target.type === rootType) throw notCommentable({ id: target.id })
  const topLevel = await readTopLevelOf(session, target)
  const isReply = isComment(session.model, target)
  const ancestorIds = isReply ? [target.id, ...ancestorIdsOf(target)] : [target.id]
  if (ancestorIds.length > deepest) throw repliesTooDeep({ id: target.id, max: deepest })
  const system = session.asSystem()
  const isExternal = saysExternal(draft)
  const comment = await createDocument(system, {
    parent: isReply ? target : await getOrCreateCommentRoot(system, target),
    type,
    name: nameFor(session),
    ...(isExternal && { facets: [externalFacet] }),
    properties: {
      'comment:creationDate': session.now,
      'comment:modificationDate': session.now,
      ...draft.properties,
      ...(isExternal && draft.external),
      'comment:author': session.principal.name,
      'comment:parentId': target.id,
      'comment:ancestorIds': ancestorIds,
    },
  })
  await announceComment(session, 'commentAdded', { comment, topLevel, commented: target })
  return { comment, topLevel }
}

/** Changes what the client says of it, and no more. @throws commentOfAnother */
export async function changeComment(session: WriteSession, placed: PlacedComment, draft: CommentDraft): Promise<PlacedComment> {
  await requireOwn(session, placed.comment, 'WriteProperties')
  const { model, now } = session
  const comment = await saveContent(session, placed.comment.id, (current) => {
    const isExternal = saysExternal(draft) || model.shapeOf(current).hasFacet(externalFacet)
    return {
      properties: { 'comment:modificationDate': now, ...draft.properties, ...(isExternal && draft.external) },
      ...(isExternal && { facets: withFacet(model, current, externalFacet) }),
    }
  })
  await announceComment(session, 'commentUpdated', { ...placed, comment })
  return { ...placed, comment }
}

/** Removes the comment and all replies below it; a listener tells of it, as it does when the document is removed by its id. */
export async function removeComment(session: WriteSession, { comment }: PlacedComment): Promise<void> {
  await requireOwn(session, comment, 'Remove')
  await removeDocument(session, comment.id)
}

async function requireOwn(session: Session, comment: Document, permission: string): Promise<void> {
  if (!(await hasPermission(session, comment, permission))) {
    throw commentOfAnother({ id: comment.id, user: session.principal.name })
  }
}
