import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { isTrashedName, nameBeforeCollision, untrashedName } from '../../../model/trashed-name.ts'
import { requirePermission } from '../../permissions.ts'
import type { SaveOptions } from '../../save-options.ts'
import type { WriteSession } from '../../session.ts'
import { readFolderForInsertById } from '../folder-for-insert.ts'
import { moveTo } from '../place/place-document.ts'
import { throughProxy } from '../proxies/proxy.ts'
import { readStoredForUpdate } from '../read-for-update.ts'
import { mark, markBelow } from './trash-mark.ts'
import { canPurgeOrUntrash } from './trash-rights.ts'
import { readSelection, rootsOf } from './trash-selection.ts'

export const untrashDenied = defineProblem(
  'untrashDenied',
  'forbidden',
  (_: { ids: readonly DocumentId[] }) => 'Cannot untrash these documents',
)

/** Takes the document out of the trash: everything below it comes along, and its trashed ancestors as mere containers. */
export async function untrashDocument(session: WriteSession, id: DocumentId, options: SaveOptions = {}): Promise<Document> {
  const document = await readStoredForUpdate(session, id)
  await requireRestorable(session, document)
  if (!document.isTrashed) return throughProxy(session, document)
  const { path, parentId } = await restore(session, document, options)
  if (path !== null) await restoreBelow(session, path, options)
  await restoreAncestors(session, parentId, options)
  return readStoredForUpdate(session, id)
}

/** Takes several documents out of the trash. @throws untrashDenied when one of them cannot be. */
export async function untrashDocuments(session: WriteSession, ids: readonly DocumentId[]): Promise<readonly Document[]> {
  if (!(await canPurgeOrUntrash(session, ids))) throw untrashDenied({ ids })
  for (const { id } of rootsOf(await readSelection(session, ids))) await untrashDocument(session, id)
  return session.tx.documents.findAll(ids)
}

async function requireRestorable(session: WriteSession, document: Document): Promise<void> {
  await requirePermission(session, document, 'Remove')
  const parent = document.parentId === null ? undefined : await session.tx.documents.find(document.parentId)
  if (parent === undefined) return
  await requirePermission(session, parent, 'RemoveChildren')
  if (document.isTrashed && isTrashedName(document.name)) await requirePermission(session, parent, 'AddChildren')
}

async function restore(session: WriteSession, document: Document, options: SaveOptions): Promise<Document> {
  await renameBack(session, document, options)
  return mark(session, document.id, false, options)
}

async function restoreBelow(session: WriteSession, path: string, options: SaveOptions): Promise<void> {
  for (const { id } of await session.tx.documents.listRenamedByTrash(path)) {
    // A folder above it may have got its name back just now, and all below it another path.
    await renameBack(session, await readStoredForUpdate(session, id), options)
  }
  await markBelow(session, path, false, options)
}

async function restoreAncestors(session: WriteSession, parentId: DocumentId | null, options: SaveOptions): Promise<void> {
  for (let id = parentId; id !== null; ) {
    const ancestor = await session.tx.documents.find(id)
    if (ancestor?.isTrashed) await restoreContainer(session, ancestor.id, options)
    id = ancestor?.parentId ?? null
  }
}

async function restoreContainer(session: WriteSession, id: DocumentId, options: SaveOptions): Promise<void> {
  const ancestor = await readStoredForUpdate(session, id)
  await requireRestorable(session, ancestor)
  await restore(session, ancestor, options)
}

async function renameBack(session: WriteSession, document: Document, options: SaveOptions): Promise<void> {
  if (document.parentId === null || !isTrashedName(document.name)) return
  const folder = await readFolderForInsertById(session, document.parentId)
  await moveTo(session, document, folder, await restoredName(session, folder, document.name), options)
}

/** The name it had, or the one it was meant to have when another child had that, provided it is free now. */
async function restoredName(session: WriteSession, folder: Document, name: string): Promise<string> {
  const original = untrashedName(name)
  const meant = nameBeforeCollision(original)
  const isFree = meant !== undefined && !(await session.tx.documents.hasChild(folder.id, meant))
  return isFree ? meant : original
}
