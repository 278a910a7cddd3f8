import type { Document } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'

/**
 * Locks the rows of several documents, and of what proxies among them point to. Always in the same order: of two transactions that
 * lock the same rows in orders of their own, each would wait for the other.
 */
export async function lockRowsInOrder(session: WriteSession, documents: readonly Document[]): Promise<void> {
  const ids = new Set(documents.flatMap(({ id, targetId }) => (targetId === null ? [id] : [id, targetId])))
  for (const id of [...ids].sort()) await session.tx.documents.findForUpdate(id)
}
