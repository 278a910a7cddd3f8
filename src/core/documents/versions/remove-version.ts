import { defineProblem } from '../../../base/problem.ts'
import { type Document, type DocumentId, titleOf } from '../../../model/document.ts'
import { versionLabel } from '../../../model/versioning.ts'
import { announce, offer } from '../../event.ts'
import { hasPermission, requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { store } from '../read-for-update.ts'
import { requireUnretained } from '../records/record-removal.ts'

export const removalDenied = defineProblem(
  'removalDenied',
  'forbidden',
  (of: { id: string; reason: string }) => `Permission denied: cannot remove document ${of.id}, ${of.reason}`,
)

/** Has those of the versions removed that nothing keeps any more, once the transaction has committed. */
export function orderOrphanRemoval({ tx, principal }: WriteSession, seriesIds: readonly DocumentId[]): Promise<void> {
  return tx.jobs.add('removeOrphanVersions', { seriesIds }, { owner: principal.name })
}

/** Removes one version, unless a proxy shows it or its live document is checked in on it. */
export async function removeVersion(session: WriteSession, version: Document): Promise<void> {
  const live = version.seriesId === null ? undefined : await session.tx.documents.findForUpdate(version.seriesId)
  await requireVersionRemovable(session, version, live)
  const comment = versionLabel(version, session.model.shapeOf(version))
  const properties = { docTitle: titleOf(version), docSource: version.seriesId, workingCopy: live?.id ?? null }
  await offer(session, 'aboutToRemoveVersion', version, { properties, comment })
  await session.tx.documents.remove(version.id)
  if (live !== undefined) {
    await session.tx.documents.refreshLatestFlags(live.id)
    if (live.baseVersionId === version.id) await store(session, live, { ...live, baseVersionId: null })
    await announce(session, 'versionRemoved', live, { properties, comment })
  }
  await announce(session, 'documentRemoved', version, { properties, comment })
}

async function requireVersionRemovable(session: WriteSession, version: Document, live: Document | undefined): Promise<void> {
  const { id } = version
  // The right comes first: a caller without it is not told what retains or shows the version.
  if (live !== undefined) await requirePermission(session, live, 'WriteVersion')
  else if (!session.principal.isAdministrator) {
    throw removalDenied({ id, reason: 'its live document is gone and only administrators may remove it' })
  }
  await requireUnretained(session, version)
  await requireNoProxy(session, id)
  if (live?.isCheckedIn && live.baseVersionId === id) {
    throw removalDenied({ id, reason: 'its live document is checked in on it' })
  }
}

/** Of a proxy that the caller may not see not even the word is said. */
async function requireNoProxy(session: WriteSession, id: string): Promise<void> {
  const { documents } = session.tx
  const proxyIds = await documents.listProxyIds(id)
  if (proxyIds.length === 0) return
  for (const proxy of await documents.findAll(proxyIds)) {
    if (await hasPermission(session, proxy, 'Read')) throw removalDenied({ id, reason: 'it is the target of a proxy' })
  }
  throw removalDenied({ id, reason: 'it is in use elsewhere' })
}
