import { changedMeanwhile, nextChangeToken } from '../../model/change-token.ts'
import type { Document } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'

/**
 * Writes a changed document and gives it as stored, its token raised.
 * @throws changedMeanwhile when another transaction changed it since it was read.
 */
export async function store(session: WriteSession, before: Document, after: Document, isUserChange = false): Promise<Document> {
  const stored = { ...after, changeToken: nextChangeToken(before.changeToken, isUserChange) }
  if (!(await session.tx.documents.update(before, stored))) throw changedMeanwhile({ id: before.id })
  return stored
}
