import { defineProblem } from '../../base/problem.ts'
import type { Document } from '../../model/document.ts'
import { announce, offer } from '../event.ts'
import type { SaveOptions } from '../save-options.ts'
import type { WriteSession } from '../session.ts'
import { store } from './store-change.ts'

export const alreadyCheckedOut = defineProblem(
  'alreadyCheckedOut',
  'conflict',
  (of: { id: string }) => `Already checked out: ${of.id}`,
)

/** Opens a checked-in document for change. Numbers go on from the latest version, also when its base is an older one. */
export async function checkOut(session: WriteSession, live: Document, options: SaveOptions = {}): Promise<Document> {
  if (!live.isCheckedIn) throw alreadyCheckedOut({ id: live.id })
  const offered = await offer(session, 'aboutToCheckout', live, { options })
  const latest = await session.tx.documents.findLatestVersion(live.id)
  const isBehind = latest !== undefined && latest.id !== live.baseVersionId
  const numbers = isBehind ? { majorVersion: latest.majorVersion, minorVersion: latest.minorVersion } : {}
  const checkedOut = await store(session, live, { ...offered, ...numbers, isCheckedIn: false })
  await announce(session, 'documentCheckedOut', checkedOut, { options })
  return checkedOut
}
