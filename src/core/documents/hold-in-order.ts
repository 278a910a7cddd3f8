import type { Document } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'

/**
 * Keeps several documents, and what proxies among them point to, from being changed by others. Always in the same order: of two
 * that hold the same ones in orders of their own, each would wait for the other.
 */
export async function holdInOrder(session: WriteSession, documents: readonly Document[]): Promise<void> {
  const ids = new Set(documents.flatMap(({ id, targetId }) => (targetId === null ? [id] : [id, targetId])))
  for (const id of [...ids].sort()) await session.tx.documents.findForUpdate(id)
}
