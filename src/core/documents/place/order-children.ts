import type { Document, DocumentId } from '../../../model/document.ts'
import { announce } from '../../event.ts'
import { requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { isOrdered } from '../folder-for-insert.ts'
import { documentNotFound } from '../read-document.ts'

/** Puts a child just before another one, or at the end. Where the folder keeps no order nothing moves. */
export async function orderBefore(
  session: WriteSession,
  folderId: DocumentId,
  childId: DocumentId,
  beforeId: DocumentId | null,
): Promise<void> {
  const folder = await session.tx.documents.findForUpdate(folderId)
  if (folder === undefined) throw documentNotFound({ reference: folderId })
  await requirePermission(session, folder, 'WriteProperties')
  const child = await readChild(session, folderId, childId)
  if (beforeId !== null) await readChild(session, folderId, beforeId)
  if (isOrdered(session, folder)) {
    const ids = await session.tx.documents.listChildIds(folderId)
    await session.tx.documents.setPositions(reordered(ids, childId, beforeId))
  }
  await announce(session, 'childrenOrderChanged', folder, {
    comment: child.name,
    properties: { reorderedChild: child.name },
  })
}

async function readChild(session: WriteSession, folderId: DocumentId, id: DocumentId): Promise<Document> {
  const child = await session.tx.documents.find(id)
  if (child === undefined || child.parentId !== folderId) throw documentNotFound({ reference: id })
  return child
}

/** The ids with one of them just before another, or last. */
export function reordered(ids: readonly DocumentId[], childId: DocumentId, beforeId: DocumentId | null): readonly DocumentId[] {
  if (childId === beforeId) return ids
  const others = ids.filter((id) => id !== childId)
  const place = beforeId === null ? others.length : others.indexOf(beforeId)
  return others.toSpliced(place, 0, childId)
}
