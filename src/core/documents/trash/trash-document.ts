import type { Document, DocumentId } from '../../../model/document.ts'
import { maxPathBytes, maxSegmentLength } from '../../../model/path-segment.ts'
import { trashedName } from '../../../model/trashed-name.ts'
import { pathTooLong } from '../../../store/problems.ts'
import { requirePermission } from '../../permissions.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { freeVariant } from '../name-in-folder.ts'
import { moveTo } from '../place/place-document.ts'
import { readStoredForUpdate } from '../read-for-update.ts'
import { requireUnretained } from '../records/record-removal.ts'
import { removeDocument, requireRemovable } from '../remove-document.ts'
import { mark, markBelow } from './trash-mark.ts'
import { mayRemove } from './trash-rights.ts'
import { readSelection, rootsOf } from './trash-selection.ts'

/**
 * Puts the document into the trash, with everything below it. What has no place to come back to (proxies, versions, placeless
 * documents) is removed for good, and undefined given.
 */
export async function trashDocument(
  session: WriteSession,
  id: DocumentId,
  options: SaveOptions = {},
): Promise<Document | undefined> {
  const document = await readStoredForUpdate(session, id)
  if (document.isProxy || document.isVersion || document.parentId === null) {
    await removeDocument(session, id)
    return undefined
  }
  await requireRemovable(session, document)
  if (document.isTrashed) return document
  await renameForTrash(session, document, document.parentId, options)
  const trashed = await mark(session, id, true, options)
  await trashBelow(session, trashed, options)
  // Only now is all below it locked: another transaction may have put a hold on some of it since the first check.
  await requireUnretained(session, trashed)
  return trashed
}

/** Puts several documents into the trash, and gives those that still exist. What is below another of them goes with it. */
export async function trashDocuments(session: WriteSession, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  for (const { id } of rootsOf(await readSelection(session, ids))) await trashDocument(session, id)
  return session.tx.documents.findAll(ids)
}

/** Frees the name for other documents. */
async function renameForTrash(
  session: WriteSession,
  document: Document,
  parentId: DocumentId,
  options: SaveOptions,
): Promise<void> {
  if (options.trashRenaming === false) return
  const folder = await readFolderForInsertById(session, parentId)
  await requirePermission(session, folder, 'AddChildren')
  // The usual variant of a name that is taken would hide the mark from code that looks for it at the end.
  const name = await freeVariant(session, folder, document.name, trashedName)
  const grownPath = Buffer.byteLength(document.path ?? '') + name.length - document.name.length
  // Better in the trash under its own name than not at all.
  if (name.length > maxSegmentLength || grownPath > maxPathBytes) return
  await moveTo(session, document, folder, name, options).catch((error: unknown) => {
    if (!pathTooLong.is(error)) throw error
  })
}

/** Everything below a document goes into the trash with it; proxies there are removed as far as may be. */
async function trashBelow(session: WriteSession, { path }: Document, options: SaveOptions): Promise<void> {
  if (path === null) return
  const proxies = await session.tx.documents.listProxiesBelow(path)
  // From the bottom: one proxy may be below another.
  for (const proxy of proxies.toReversed()) {
    if (await mayBeTakenAway(session, proxy)) await removeDocument(session, proxy.id)
    else tellProxyStays(session, proxy)
  }
  await markBelow(session, path, true, options)
}

/** Documents below a proxy would be gone for good with it, and the trash gives everything back. */
async function mayBeTakenAway(session: WriteSession, proxy: Document): Promise<boolean> {
  return (await session.tx.documents.listChildIds(proxy.id)).length === 0 && mayRemove(session, proxy)
}

function tellProxyStays({ repository, principal }: WriteSession, proxy: Document): void {
  const about = { repository: repository.name, id: proxy.id, principal: principal.name }
  repository.log.info({ event: 'trash.proxyKept', ...about }, 'proxy below a trashed folder stays')
}
