import type { OperationContext } from '../../automation/context.ts'
import { type FlowingBlob, storedBlob } from '../../automation/values/flowing-blob.ts'
import { defineProblem } from '../../base/problem.ts'
import { moveDocument } from '../../core/documents/place/move-document.ts'
import { saveDocument } from '../../core/documents/save-document.ts'
import { trashDocument } from '../../core/documents/trash/trash-document.ts'
import type { Session, WriteSession } from '../../core/session.ts'
import { type Document, isAtOrBelow } from '../../model/document.ts'
import { removeMembers } from '../collections/index.ts'
import { createFolder, importFile, prepareImport, storedFile } from '../file-import/index.ts'
import { prepareContent, readItemName, renamed } from './file-content.ts'
import { parseItemId } from './item-ids.ts'
import { type FoundItem, type Item, type ItemTree, isTop, openItemTree } from './item-tree.ts'
import { unregisterRoot } from './roots.ts'

export const itemNotFound = defineProblem(
  'itemNotFound',
  'notFound',
  (of: { id: string }) => `There is no item ${of.id.slice(0, 200)} for you: it is gone, not synchronised, or may not be read.`,
)

export const notAFolder = defineProblem('notAFolder', 'invalid', (of: { id: string }) => `${of.id} is a file. Name a folder.`)

export const itemFixed = defineProblem(
  'itemFixed',
  'forbidden',
  (of: { id: string; action: string }) =>
    `${of.id.slice(0, 200)} cannot be ${of.action.slice(0, 200)}: you have no right to, or it is no item of that kind.`,
)

export const notImported = defineProblem(
  'notImported',
  'unprocessable',
  (of: { name: string }) => `No document can be made of ${of.name} that could be shown as a file.`,
)

/** Saves of clients say so, for policies that depend on it. */
const fromClient = { source: 'drive' } as const

type Means = Pick<OperationContext['services'], 'vendored' | 'importers'>

/** @throws itemNotFound */
export async function readItem(tree: ItemTree, id: string, parentId?: string): Promise<FoundItem> {
  const found = await tree.findById(id, parentId)
  if (found === undefined) throw itemNotFound({ id })
  return found
}

/** @throws itemNotFound, notAFolder */
export async function readFolderItem(tree: ItemTree, id: string): Promise<FoundItem> {
  const found = await readItem(tree, id)
  if (!found.item.folder) throw notAFolder({ id })
  return found
}

/** A folder that something can be put into. @throws itemNotFound, notAFolder, itemFixed */
async function readPlace(session: Session, means: Means, id: string): Promise<FoundItem> {
  if (isTop(id)) throw itemFixed({ id, action: 'added to' })
  const found = await readFolderItem(await openItemTree(session, means.vendored), id)
  if (!('canCreateChild' in found.item && found.item.canCreateChild)) throw itemFixed({ id, action: 'added to' })
  return found
}

/** What a document is now, for who has just written it. @throws notImported */
async function shown(session: Session, means: Means, document: Document): Promise<Item> {
  const item = (await (await openItemTree(session, means.vendored)).find(document.id))?.item
  if (item === undefined) throw notImported({ name: document.name })
  return item
}

export interface WantedChild {
  readonly parentId: string
  /** One of the name serves, and gets the content. */
  readonly overwrite: boolean
}

export async function createFolderItem(
  session: WriteSession,
  means: Means,
  { parentId, name, overwrite }: WantedChild & { readonly name: string },
): Promise<Item> {
  const { document: parent } = await readPlace(session, means, parentId)
  const folder = await createFolder(session, { parent, title: readItemName(name), overwrite })
  return shown(session, means, folder)
}

/** Each file becomes one document, and stays the file that it is: no archive is opened, and no text made a note that holds no more than text. */
export async function createFileItem(
  context: OperationContext,
  file: FlowingBlob,
  { parentId, overwrite }: WantedChild,
): Promise<Item> {
  const { session, services, host } = context
  const { repository } = session
  // Before anything is read of the file.
  await readPlace(session, services, parentId)
  const name = readItemName(file.blob.name ?? '')
  const importers = services.importers.filter(({ altersFile }) => altersFile !== true)
  const source = storedFile(repository.blobs, await storedBlob(repository, { ...file, blob: { ...file.blob, name } }))
  const prepared = await prepareImport({ importers }, source, { signal: host.signal })
  if (prepared === undefined) throw notImported({ name })
  return context.write(async (writing) => {
    const { document: parent } = await readPlace(writing, services, parentId)
    return shown(writing, services, await importFile(writing, prepared, { parent, overwrite }))
  })
}

export async function updateFileItem(
  context: OperationContext,
  file: FlowingBlob,
  { id, parentId }: { readonly id: string; readonly parentId: string | undefined },
): Promise<Item> {
  const { session, services } = context
  const { document } = await readChangeable(session, services, id)
  const change = await prepareContent(session, document, file, { followsTitle: true })
  return context.write(async (writing) => {
    await readChangeable(writing, services, id)
    await saveDocument(writing, document.id, change, fromClient)
    return (await readItem(await openItemTree(writing, services.vendored), id, parentId)).item
  })
}

/** @throws itemNotFound, itemFixed */
async function readChangeable(session: Session, means: Means, id: string): Promise<FoundItem> {
  const found = await readItem(await openItemTree(session, means.vendored), id)
  if (!('canUpdate' in found.item && found.item.canUpdate)) throw itemFixed({ id, action: 'given other content' })
  return found
}

export async function renameItem(session: WriteSession, means: Means, id: string, wanted: string): Promise<Item> {
  if (isTop(id)) throw itemFixed({ id, action: 'renamed' })
  const name = readItemName(wanted)
  const { document, item } = await readItem(await openItemTree(session, means.vendored), id)
  if (!item.canRename) throw itemFixed({ id, action: 'renamed' })
  await saveDocument(session, document.id, (current) => renamed(session, current, name), fromClient)
  return (await readItem(await openItemTree(session, means.vendored), id)).item
}

/** Whether the item can be put into the folder. */
export async function canMoveItem(session: Session, means: Means, id: string, destination: string): Promise<boolean> {
  return (await findMove(session, means, id, destination)) !== undefined
}

export async function moveItem(session: WriteSession, means: Means, id: string, destination: string): Promise<Item> {
  const move = await findMove(session, means, id, destination)
  if (move === undefined) throw itemFixed({ id, action: `moved to ${destination}` })
  const { moved, folder } = move
  await moveDocument(session, moved.id, { parentId: folder.id, options: fromClient })
  return shown(session, means, moved)
}

async function findMove(session: Session, means: Means, id: string, destination: string) {
  const tree = await openItemTree(session, means.vendored)
  const [from, to] = [await tree.findById(id), await tree.findById(destination)]
  if (from === undefined || to === undefined || parseItemId(id)?.kind !== 'item') return undefined
  const takes = 'canCreateChild' in to.item && to.item.canCreateChild
  if (!from.item.canDelete || !takes || isAtOrBelow(to.document, from.document)) return undefined
  return { moved: from.document, folder: to.document }
}

/** A root is given up, a member of a collection leaves it, and all else goes into the trash. */
export async function deleteItem(session: WriteSession, means: Means, id: string, parentId: string | undefined): Promise<void> {
  if (isTop(id)) throw itemFixed({ id, action: 'deleted' })
  const { document, item } = await readItem(await openItemTree(session, means.vendored), id, parentId)
  const parent = item.parentId === null ? undefined : parseItemId(item.parentId)
  if (parseItemId(id)?.kind !== 'item') await unregisterRoot(session, document.id)
  else if (parent?.kind === 'collection') await removeMembers(session, parent.documentId, [document.id])
  else if (item.canDelete) await trashDocument(session, document.id, fromClient)
  else throw itemFixed({ id, action: 'deleted' })
}
