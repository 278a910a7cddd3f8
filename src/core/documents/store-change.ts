import { changedMeanwhile, nextChangeToken } from '../../model/change-token.ts'
import type { Document } from '../../model/document.ts'
import type { WriteSession } from '../session.ts'
import { repeatTarget, withTarget } from './proxies/proxy.ts'
import { requireHeldContentKept } from './records/record-write.ts'

/**
 * Writes a changed document, and with it the proxies that repeat it, and gives it as stored, its token raised. A proxy is written
 * as its target is now.
 * @throws changedMeanwhile when another transaction changed it since it was read; heldContentKept
 */
export async function store(session: WriteSession, before: Document, after: Document, isUserChange = false): Promise<Document> {
  requireHeldContentKept(before, after)
  const complete = after.isProxy ? await withTarget(session, after) : after
  const stored = { ...complete, changeToken: nextChangeToken(before.changeToken, isUserChange) }
  if (!(await session.tx.documents.update(before, stored))) throw changedMeanwhile({ id: before.id })
  if (!stored.isProxy) await repeatTarget(session, stored)
  return stored
}
