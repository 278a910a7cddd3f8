import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId, Lock } from '../../../model/document.ts'
import { actingName } from '../../../model/rights/principal.ts'
import { announce } from '../../event.ts'
import type { Session, WriteSession } from '../../session.ts'
import { readDocument } from '../read-document.ts'
import { requireRightAt, store } from '../read-for-update.ts'
import { readSubject, shownAt } from '../read-subject.ts'

export const alreadyLocked = defineProblem(
  'alreadyLocked',
  'conflict',
  (of: { id: string; owner: string }) => `Document already locked by ${of.owner}: ${of.id}`,
)

/**
 * Keeps all users but the caller and administrators from changing the document; of a proxy, what it points to.
 * @throws alreadyLocked, also to the owner of the lock.
 */
export async function lockDocument(session: WriteSession, id: DocumentId): Promise<Document> {
  const subject = await readSubject(session, id)
  const { place, content } = subject
  // As if it were not locked: a caller who could lock it otherwise is told by whom it is.
  await requireRightAt(session, place, { ...content, lock: null }, 'WriteProperties')
  if (content.lock !== null) throw alreadyLocked({ id, owner: content.lock.owner })
  const lock: Lock = { owner: actingName(session.principal), created: session.now }
  const locked = await store(session, content, { ...content, lock })
  await announce(session, 'documentLocked', locked, { properties: { lock } })
  return shownAt(session, subject, locked)
}

/** Who locked the document and when; null when it is not locked. @throws documentNotFound, or privilegeMissing without Read. */
export async function readLock(session: Session, id: DocumentId): Promise<Lock | null> {
  return (await readDocument(session, id)).lock
}
