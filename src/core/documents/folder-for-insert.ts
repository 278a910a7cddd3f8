import { defineProblem } from '../../base/problem.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'
import { documentNotFound } from './read-document.ts'

export const versionHasNoChildren = defineProblem(
  'versionHasNoChildren',
  'invalid',
  (of: { id: string }) => `${of.id} is a version and cannot have children. Create the document below its live document.`,
)

export const placelessHasNoChildren = defineProblem(
  'placelessHasNoChildren',
  'invalid',
  (of: { id: string }) => `${of.id} has no place in the tree, so nothing can be below it. Move it into a folder first.`,
)

/**
 * Reads a folder as it is now, and locks its row so that it stays where it is while something is put into it. Where children have an
 * order, only one transaction at a time may append to it.
 */
export async function readFolderForInsert(session: WriteSession, folder: Document): Promise<Document> {
  if (folder.isVersion) throw versionHasNoChildren({ id: folder.id })
  const { documents } = session.tx
  const locked = await (isOrdered(session, folder) ? documents.findForUpdate(folder.id) : documents.findForShare(folder))
  if (locked === undefined) throw documentNotFound({ reference: folder.id })
  if (locked.path === null) throw placelessHasNoChildren({ id: locked.id })
  return locked
}

/** @throws documentNotFound */
export async function readFolderForInsertById(session: WriteSession, id: DocumentId): Promise<Document> {
  const folder = await session.tx.documents.find(id)
  if (folder === undefined) throw documentNotFound({ reference: id })
  return readFolderForInsert(session, folder)
}

/** The place at the end of an ordered folder; null in any other. */
export async function nextPosition(session: WriteSession, folder: Document): Promise<number | null> {
  if (!isOrdered(session, folder)) return null
  const last = await session.tx.documents.lastPosition(folder.id)
  return last === undefined ? 0 : last + 1
}

/** Whether the folder's type keeps the order of its children: a facet of the single document does not count. */
export function isOrdered(session: WriteSession, { type }: Document): boolean {
  return session.model.shapeOf({ type }).hasFacet('Orderable')
}
