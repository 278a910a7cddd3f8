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
 * Keeps a folder where it is while something is put into it, and gives it as it is now. Where children have an order, only one
 * transaction at a time may append to it.
 */
export async function holdFolder(session: WriteSession, folder: Document): Promise<Document> {
  if (folder.isVersion) throw versionHasNoChildren({ id: folder.id })
  const { documents } = session.tx
  const held = await (keepsOrder(session, folder) ? documents.findForUpdate(folder.id) : documents.hold(folder))
  if (held === undefined) throw documentNotFound({ reference: folder.id })
  if (held.path === null) throw placelessHasNoChildren({ id: held.id })
  return held
}

/** @throws documentNotFound */
export async function holdFolderById(session: WriteSession, id: DocumentId): Promise<Document> {
  const folder = await session.tx.documents.find(id)
  if (folder === undefined) throw documentNotFound({ reference: id })
  return holdFolder(session, folder)
}

/** The place at the end of a folder that keeps an order; null in any other. */
export async function nextPosition(session: WriteSession, folder: Document): Promise<number | null> {
  if (!keepsOrder(session, folder)) return null
  const last = await session.tx.documents.lastPosition(folder.id)
  return last === undefined ? 0 : last + 1
}

/** Whether the folder's type keeps the order of its children: a facet of the single document does not count. */
export function keepsOrder(session: WriteSession, { type }: Document): boolean {
  return session.model.shapeOf({ type }).hasFacet('Orderable')
}
