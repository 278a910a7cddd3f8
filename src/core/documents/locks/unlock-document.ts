import type { DocumentId, Lock } from '../../../model/document.ts'
import { isOwn } from '../../../model/rights/principal.ts'
import { announce } from '../../event.ts'
import type { WriteSession } from '../../session.ts'
import { requireRightAt, store } from '../read-for-update.ts'
import { readSubject } from '../read-subject.ts'

/** Lets other users change the document again, and gives the lock that it had. The lock of another user takes the right to. */
export async function unlockDocument(session: WriteSession, id: DocumentId): Promise<Lock | null> {
  const { place, content } = await readSubject(session, id)
  const { lock } = content
  if (lock === null) return null
  if (!isOwn(session.principal, lock.owner, lock.created)) await requireRightAt(session, place, content, 'Unlock')
  const unlocked = await store(session, content, { ...content, lock: null })
  await announce(session, 'documentUnlocked', unlocked, { properties: { lock } })
  return lock
}
