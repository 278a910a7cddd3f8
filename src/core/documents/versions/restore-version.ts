import { defineProblem } from '../../../base/problem.ts'
import { restoredContent } from '../../../model/carried-content.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { changedNames, changesBlob } from '../../../model/properties/property.ts'
import { versionLabel } from '../../../model/versioning.ts'
import { announce, offer } from '../../event.ts'
import type { WriteSession } from '../../session.ts'
import { documentNotFound } from '../read-document.ts'
import { readForUpdate, store } from '../read-for-update.ts'
import { withCleanHtml } from '../require-valid.ts'
import { checkIn } from './check-in.ts'
import { checkOut } from './check-out.ts'

export interface RestoreOptions {
  /** What is about to be overwritten is not kept as a version first. */
  readonly skipSnapshot?: boolean
  readonly checkOut?: boolean
}

export const otherSeries = defineProblem(
  'otherSeries',
  'invalid',
  (of: { versionId: string; id: string }) => `${of.versionId} is not a version of ${of.id}. Restore one of its own versions.`,
)

export const recordNotRestorable = defineProblem(
  'recordNotRestorable',
  'conflict',
  (of: { id: string }) => `${of.id} is a record: no version can be restored over it`,
)

/** Makes the live document what it was in one of its versions. It ends checked in on that version, unless told otherwise. */
export async function restoreVersion(
  session: WriteSession,
  id: DocumentId,
  versionId: DocumentId,
  options: RestoreOptions = {},
): Promise<Document> {
  const document = await readForUpdate(session, id, 'WriteVersion')
  const version = await readVersionOf(session, document, versionId)
  if (document.isRecord) throw recordNotRestorable({ id: document.id })
  const live = document.isCheckedIn || options.skipSnapshot ? document : (await checkIn(session, document, 'minor')).live
  const about = {
    comment: versionLabel(version, session.model.shapeOf(version)),
    properties: { restoredVersionUUID: version.id },
  }
  const offered = await offer(session, 'beforeRestoringDocument', live, about)
  // A version may be from a time when nothing was cleaned.
  const restored = await overwrite(
    session,
    live,
    await withCleanHtml(session, { ...offered, ...contentOf(session, offered, version) }, live),
  )
  const opened = options.checkOut ? await checkOut(session, restored) : restored
  await announce(session, 'documentRestored', opened, about)
  return opened
}

async function readVersionOf(session: WriteSession, live: Document, versionId: DocumentId): Promise<Document> {
  const version = await session.tx.documents.find(versionId)
  if (version === undefined) throw documentNotFound({ reference: versionId })
  if (!version.isVersion || version.seriesId !== live.id) throw otherSeries({ versionId, id: live.id })
  return version
}

/** What a version brings back. Place, rights, lock, trash and retention stay those of the live document. */
function contentOf({ model }: WriteSession, live: Document, version: Document) {
  const { id, state, majorVersion, minorVersion } = version
  const content = restoredContent(model, live, version)
  return { state, ...content, majorVersion, minorVersion, isCheckedIn: true, baseVersionId: id }
}

async function overwrite(session: WriteSession, live: Document, after: Document): Promise<Document> {
  const changed = changedNames(live.properties, after.properties)
  return store(session, live, after, changesBlob(live.properties, after.properties, changed))
}
