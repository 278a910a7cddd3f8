import { randomBytes } from 'node:crypto'
import { lastMoment } from '../../base/iso-date.ts'
import { isWriting } from '../../core/access.ts'
import type { Session } from '../../core/session.ts'
import { readStoredSecret } from '../../store/stored-secret.ts'

const key = 'desktopSync:secret'

/** What seals the numbers and ids that clients hand back. An open transaction makes it itself: on SQLite no other can begin meanwhile. */
export async function readSyncSecret(session: Session): Promise<string> {
  if (!isWriting(session)) return readStoredSecret(session.repository.store, key)
  const { transient } = session.tx
  await transient.add(key, randomBytes(32).toString('base64url'), lastMoment, session.now)
  return String(await transient.find(key, session.now))
}
