import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { announce, offer } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readForUpdate, store } from '../read-for-update.ts'

export const alreadyCheckedOut = defineProblem(
  'alreadyCheckedOut',
  'conflict',
  (of: { id: string }) => `Already checked out: ${of.id}`,
)

export const versionStaysCheckedIn = defineProblem(
  'versionStaysCheckedIn',
  'invalid',
  (of: { id: string }) => `${of.id} is a version and cannot be checked out. Restore it, or check out its live document.`,
)

/** Opens the document for a caller with the right to write it. @throws alreadyCheckedOut, versionStaysCheckedIn */
export async function checkOutDocument(session: WriteSession, id: DocumentId): Promise<Document> {
  const document = await readForUpdate(session, id, 'WriteProperties')
  if (document.isVersion) throw versionStaysCheckedIn({ id: document.id })
  return checkOut(session, document)
}

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
