import { defineProblem } from '../../base/problem.ts'
import { type Document, titleOf } from '../../model/document.ts'
import { announce, offer } from '../event.ts'
import { hasPermission, privilegeMissing, requirePermission } from '../permissions.ts'
import type { DocumentEvent, WriteSession } from '../session.ts'
import { documentNotFound } from './read-document.ts'
import { removalDenied, removeVersion } from './remove-version.ts'

export const underRetention = defineProblem('underRetention', 'conflict', (of: { id: string; descendant?: string }) =>
  of.descendant === undefined
    ? `Cannot remove ${of.id}, it is under retention / hold`
    : `Cannot remove ${of.id}, subdocument ${of.descendant} is under retention / hold`,
)

export const targetOfProxy = defineProblem(
  'targetOfProxy',
  'conflict',
  (of: { id: string; target: string; proxy: string }) =>
    `Cannot remove ${of.id}, subdocument ${of.target} is the target of proxy ${of.proxy}`,
)

/** Removes the document for good, with everything below it. Its versions follow when no proxy needs them. */
export async function removeDocument(session: WriteSession, id: string): Promise<void> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  if (document.isVersion) return removeVersion(session, document)
  await requireRemovable(session, document)
  const properties = { docTitle: titleOf(document), docSource: document.seriesId ?? document.id }
  await offer(session, 'aboutToRemove', document, { properties })
  const removedIds = await session.tx.documents.removeSubtree(document)
  if (removedIds.length > 0) await session.tx.acps.clearVersions(removedIds)
  const series = document.isProxy && document.seriesId !== null ? [...removedIds, document.seriesId] : removedIds
  if (series.length > 0) await session.tx.jobs.add('removeOrphanVersions', { seriesIds: [...series] })
  if (document.isProxy) await announceProxyRemoved(session, document, properties)
  await announce(session, 'documentRemoved', document, { properties })
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

async function requireRemovable(session: WriteSession, document: Document): Promise<void> {
  if (document.parentId === null && document.path === '/')
    throw removalDenied({ id: document.id, reason: 'it is the root of the repository' })
  await requireUnretained(session, document)
  await requirePermission(session, document, 'Remove')
  const parent = document.parentId === null ? undefined : await session.tx.documents.find(document.parentId)
  if (parent !== undefined && !(await hasPermission(session, parent, 'RemoveChildren'))) {
    throw privilegeMissing({ permission: 'RemoveChildren', principal: session.principal.name })
  }
  const proxied = document.path === null ? undefined : await session.tx.documents.findProxyInto(document.path)
  if (proxied !== undefined) throw targetOfProxy({ id: document.id, target: proxied.targetId, proxy: proxied.proxyId })
}

async function requireUnretained(session: WriteSession, document: Document): Promise<void> {
  if (document.path === null) return
  const retained = await session.tx.documents.findRetained(document.path, session.now)
  if (retained === undefined) return
  throw underRetention(retained.id === document.id ? { id: document.id } : { id: document.id, descendant: retained.id })
}
