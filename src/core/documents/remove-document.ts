import { defineProblem } from '../../base/problem.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { announce, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { DocumentEvent, WriteSession } from '../session.ts'
import { documentNotFound, findReadable } from './read-document.ts'
import { requireUnretained } from './records/record-removal.ts'
import { orderOrphanRemoval, removalDenied, removeVersion } from './versions/remove-version.ts'

export const targetOfProxy = defineProblem('targetOfProxy', 'conflict', (of: { id: string; target?: string; proxy?: string }) =>
  of.proxy === undefined
    ? `Cannot remove ${of.id}, it or a subdocument is in use elsewhere`
    : `Cannot remove ${of.id}, subdocument ${of.target} is the target of proxy ${of.proxy}`,
)

/** Removes the document for good, with everything below it. Its versions follow when no proxy needs them. */
export async function removeDocument(session: WriteSession, id: string): Promise<void> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await removeLocked(session, document)
}

/**
 * The same of one that was found a moment ago and that nobody has named: it may be gone by now, or not be what was looked for any more. Whether
 * it was removed.
 */
export async function removeIfStill(
  session: WriteSession,
  id: string,
  isMeant: (now: Document) => boolean = () => true,
): Promise<boolean> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined || !isMeant(document)) return false
  await removeLocked(session, document)
  return true
}

async function removeLocked(session: WriteSession, document: Document): Promise<void> {
  if (document.isVersion) return removeVersion(session, document)
  await requireRemovable(session, document)
  await requireFree(session, document)
  const properties = aboutRemoval(document)
  await offer(session, 'aboutToRemove', document, { properties })
  const { liveIds, proxiedSeriesIds } = await session.tx.documents.removeSubtree(document)
  if (liveIds.length > 0) await session.tx.acps.clearVersions(liveIds)
  const seriesIds = [...new Set([...liveIds, ...proxiedSeriesIds])]
  if (seriesIds.length > 0) await orderOrphanRemoval(session, seriesIds)
  if (document.isProxy) await announceProxyRemoved(session, document, properties)
  await announce(session, 'documentRemoved', document, { properties })
}

function aboutRemoval(document: Document): DocumentEvent['properties'] {
  const docSource = document.seriesId ?? document.id
  return { docTitle: titleOf(document), docSource, ...(document.isProxy && { workingCopy: docSource }) }
}

/** Told of the live document, which is no longer shown at the proxy's place. */
async function announceProxyRemoved(
  session: WriteSession,
  proxy: Document,
  properties: DocumentEvent['properties'],
): Promise<void> {
  const live = proxy.seriesId === null ? undefined : await session.tx.documents.find(proxy.seriesId)
  if (live !== undefined) await announce(session, 'proxyRemoved', live, { properties })
}

/** The caller may take the document away from where it is, and nothing keeps it. @throws privilegeMissing, underRetention */
export async function requireRemovable(session: WriteSession, document: Document): Promise<void> {
  if (document.parentId === null && document.path === '/')
    throw removalDenied({ id: document.id, reason: 'it is the root of the repository' })
  // As if it were not retained: a caller without the right is not told what is.
  await requirePermission(session, { ...document, hasLegalHold: false, retainUntil: null }, 'Remove')
  const parent = document.parentId === null ? undefined : await session.tx.documents.find(document.parentId)
  if (parent !== undefined) await requirePermission(session, parent, 'RemoveChildren')
  await requireUnretained(session, document)
}

/**
 * Locks all that goes, then checks again: a transaction that puts a hold on a document, or makes a proxy to it, locks it too, and
 * may have committed since the first check. @throws underRetention, targetOfProxy
 */
async function requireFree(session: WriteSession, document: Document): Promise<void> {
  const { id, path } = document
  if (path === null) return requireUnproxied(session, document)
  await session.tx.documents.lockSubtree(path)
  await requireUnretained(session, document)
  const proxied = await session.tx.documents.findProxyInto(path)
  if (proxied !== undefined) throw await proxiedElsewhere(session, id, proxied.targetId, proxied.proxyId)
}

/** The same for what has no place, and so nothing below it. */
async function requireUnproxied(session: WriteSession, { id }: Document): Promise<void> {
  const [proxyId] = await session.tx.documents.listProxyIds(id)
  if (proxyId !== undefined) throw await proxiedElsewhere(session, id, id, proxyId)
}

/** What stands in the way, by name as far as the caller may see it. */
async function proxiedElsewhere(session: WriteSession, id: string, target: string, proxy: string) {
  const isShown = (await findReadable(session, target)) !== undefined && (await findReadable(session, proxy)) !== undefined
  return targetOfProxy(isShown ? { id, target, proxy } : { id })
}
