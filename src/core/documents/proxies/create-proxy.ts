import { newId } from '../../../base/ids.ts'
import { type Document, type DocumentId, pristine } from '../../../model/document.ts'
import type { Model } from '../../../model/model.ts'
import { copyNameAfterCollision } from '../../../model/path-segment.ts'
import { plainNameOf } from '../../../model/trashed-name.ts'
import { announce } from '../../event.ts'
import { hasPermission, privilegeMissing, requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { insertInFolder } from '../insert-in-folder.ts'
import { freeCopyName } from '../name-in-folder.ts'
import { aboutDestination, findDestination } from '../place/destination.ts'
import { documentNotFound } from '../read-document.ts'
import { requireTypeAllowed } from '../reserved-types.ts'
import { findTarget, repeating, seenThrough } from './proxy.ts'

/**
 * Puts a proxy into a folder and gives it as it is seen. It shows the live document or the version that it is made of; made of
 * another proxy, it shows what that one shows.
 */
export async function createProxy(
  session: WriteSession,
  sourceId: DocumentId,
  folderId: DocumentId,
  name?: string,
): Promise<Document> {
  const source = await session.tx.documents.find(sourceId)
  if (source === undefined) throw documentNotFound({ reference: sourceId })
  await requirePermission(session, source, 'Read')
  await requireProxyAllowed(session, source)
  const folder = await readFolderForInsertById(session, folderId)
  await requirePermission(session, folder, 'AddChildren')
  return insertProxy(session, source, folder, name ?? plainNameOf(source))
}

/**
 * Where making proxies is restricted, another one to a live document takes Write there, whatever leads to it; one to a version,
 * which never changes, does not. @throws privilegeMissing
 */
export async function requireProxyAllowed(session: WriteSession, source: Document): Promise<void> {
  if (await mayProxy(session, source)) return
  throw privilegeMissing({ permission: 'Write', principal: session.principal.name })
}

/** Whether the caller may make another proxy to what the source is, or shows. */
export async function mayProxy(session: WriteSession, source: Document): Promise<boolean> {
  if (!session.repository.rules.restrictedProxies) return true
  const target = await findTarget(session, source)
  return target === undefined || target.isVersion || hasPermission(session, target, 'Write')
}

/** Puts a proxy into a folder that is locked, for a caller who may. */
export async function insertProxy(session: WriteSession, source: Document, folder: Document, name: string): Promise<Document> {
  const target = await readTargetForShare(session, source)
  requireTypeAllowed(session, target.type)
  const destination = await findDestination(session, folder, name, {}, freeCopyName)
  const naming = { asked: destination.asked, variant: copyNameAfterCollision }
  const proxy = await insertInFolder(session, folder, proxyOf(session.model, target, destination.name), naming)
  const seen = seenThrough(session.model, proxy, target)
  await announce(session, 'documentCreated', seen, { properties: aboutDestination(destination, proxy.name) })
  return seen
}

/** Kept from being removed until there is a proxy to it. */
async function readTargetForShare(session: WriteSession, source: Document): Promise<Document> {
  const target = await findTarget(session, source)
  const locked = target && (await session.tx.documents.findForShare(target))
  if (locked === undefined) throw documentNotFound({ reference: source.targetId ?? source.id })
  return locked
}

function proxyOf(model: Model, target: Document, name: string): Document {
  const { repository, type, state, acpId } = target
  const place = { id: newId(), parentId: null, path: null, name }
  const proxy: Document = { ...pristine, ...place, repository, type, state, acpId, isProxy: true, properties: {} }
  return repeating(model, proxy, target)
}
