import { newId } from '../../../base/ids.ts'
import { defineProblem } from '../../../base/problem.ts'
import { carriedContent } from '../../../model/carried-content.ts'
import { type Document, type DocumentId, nextChangeToken } from '../../../model/document.ts'
import { plainNameOf } from '../../../model/trashed-name.ts'
import { nextVersion, type VersioningOption, versionLabel } from '../../../model/versioning.ts'
import { announce, offer } from '../../event.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readForUpdate, store } from '../read-for-update.ts'

export const alreadyCheckedIn = defineProblem(
  'alreadyCheckedIn',
  'conflict',
  (of: { id: string }) => `Already checked in: ${of.id}`,
)

export interface CheckedIn {
  readonly live: Document
  readonly version: Document
}

/**
 * Makes a version of the document for a caller with the right to write it. @throws alreadyCheckedIn, also for a version itself.
 */
export async function checkInDocument(
  session: WriteSession,
  id: DocumentId,
  option: VersioningOption = 'minor',
  comment?: string,
): Promise<CheckedIn> {
  const document = await readForUpdate(session, id, 'WriteProperties')
  return checkIn(session, document, option, comment === undefined ? {} : { comment })
}

/** The same, but a document that is checked in already stays as it is; `version` is then the one that it is checked in on. */
export async function ensureCheckedIn(
  session: WriteSession,
  id: DocumentId,
  option: VersioningOption,
  comment?: string,
): Promise<Pick<CheckedIn, 'live'> & Partial<CheckedIn>> {
  const document = await readForUpdate(session, id, 'WriteProperties')
  if (!document.isCheckedIn) return checkIn(session, document, option, comment === undefined ? {} : { comment })
  const version = document.baseVersionId === null ? undefined : await session.tx.documents.find(document.baseVersionId)
  return { live: document, ...(version !== undefined && { version }) }
}

/** Freezes the document as it is into a new version; the live document stays, checked in on it. */
export async function checkIn(
  session: WriteSession,
  live: Document,
  option: VersioningOption,
  options: SaveOptions = {},
): Promise<CheckedIn> {
  if (live.isCheckedIn) throw alreadyCheckedIn({ id: live.id })
  const checkInComment = options.comment ?? null
  const about = { comment: checkInComment, properties: { checkInComment }, options }
  const offered = await offer(session, 'aboutToCheckIn', live, about)
  const numbers = nextVersion(offered, option)
  const frozen = carriedContent(session.model, { ...offered, ...numbers })
  const version = versionOf(frozen, checkInComment, await momentAfterLatest(session, live))
  await session.tx.documents.insert(version)
  await session.tx.documents.refreshLatestFlags(live.id)
  const checkedIn = await store(session, live, { ...offered, ...numbers, isCheckedIn: true, baseVersionId: version.id })
  await announceCheckIn(session, checkedIn, version, options)
  return { live: checkedIn, version }
}

/**
 * Now, but never before the version that is latest: this transaction may have begun before the one that made that version
 * and then waited for it, and the machines of a cluster do not agree on the time. Versions are told apart by this order.
 */
async function momentAfterLatest(session: WriteSession, live: Document): Promise<string> {
  const latest = await session.tx.documents.findLatestVersion(live.id)
  const created = latest?.versionCreated ?? ''
  return created > session.now ? created : session.now
}

/** What is kept by law or in the trash is the live document alone: its versions live and die with it. */
function versionOf(live: Document, comment: string | null, versionCreated: string): Document {
  return {
    ...live,
    id: newId(),
    parentId: null,
    name: plainNameOf(live),
    path: null,
    position: null,
    isTrashed: false,
    isVersion: true,
    seriesId: live.id,
    isCheckedIn: true,
    baseVersionId: null,
    isLatestVersion: true,
    isLatestMajorVersion: live.minorVersion === 0,
    versionCreated,
    versionComment: comment,
    isRecord: false,
    retainUntil: null,
    hasLegalHold: false,
    lock: null,
    acls: [],
    changeToken: nextChangeToken(live.changeToken, false),
  }
}

async function announceCheckIn(session: WriteSession, live: Document, version: Document, options: SaveOptions): Promise<void> {
  const label = versionLabel(version, session.model.shapeOf(version))
  const comment = version.versionComment === null ? label : `${label} ${version.versionComment}`
  const properties = { versionLabel: label, checkInComment: version.versionComment, checkedInVersionRef: version.id }
  await announce(session, 'documentCheckedIn', live, { comment, properties, options })
  await announce(session, 'documentCreated', version, { comment, properties, options })
}
