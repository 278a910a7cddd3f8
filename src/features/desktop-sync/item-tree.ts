import type { VendorIdentifiers } from '../../base/vendor.ts'
import { findReadable } from '../../core/documents/read-document.ts'
import { hasPermission } from '../../core/permissions.ts'
import type { Session } from '../../core/session.ts'
import { type Document, type DocumentId, titleOf } from '../../model/document.ts'
import { collectionIds } from '../collections/index.ts'
import { type FileItem, type FolderItem, isRootable, isShowable, itemOf, topItem } from './file-system-item.ts'
import { parseItemId } from './item-ids.ts'
import { createItemPlaces } from './item-places.ts'
import { listOwnRoots } from './root-rows.ts'

export type Item = FolderItem | FileItem

/** A document that the session's principal sees as an item. */
export interface FoundItem {
  readonly document: Document
  readonly item: Item
}

/** The tree that a client of the session's principal shows: its roots, and what can be read in them, each document once. */
export interface ItemTree {
  readonly top: FolderItem
  /** Those that can be read, by their titles. */
  readonly roots: readonly Document[]
  /** Also those that cannot be read now, or are in the trash. */
  readonly chosenIds: ReadonlySet<DocumentId>
  /** What a document is in the tree; undefined when it is not there. */
  find(id: DocumentId): Promise<FoundItem | undefined>
  /** The same of a document at hand that may be read. */
  show(document: Document): Promise<Item | undefined>
  /** What an id means now. A document that is in a collection can be asked for as a member of that. */
  findById(id: string, parentId?: string): Promise<FoundItem | undefined>
  /** A member as it is seen in a collection that is a root. */
  showIn(collection: Document, member: Document): Promise<Item | undefined>
}

export async function openItemTree(session: Session, vendored: VendorIdentifiers): Promise<ItemTree> {
  const { repository } = session
  const top = topItem(session, vendored)
  const chosenIds: ReadonlySet<DocumentId> = new Set((await listOwnRoots(session)).map(({ id }) => id))
  const roots = await listRoots(session, chosenIds)
  const rootIds = new Set(roots.map(({ id }) => id))
  const places = createItemPlaces(session, top, roots)

  const show: ItemTree['show'] = async (document) => {
    const place = await places.find(document)
    return place && itemOf(session, document, place)
  }

  const showIn: ItemTree['showIn'] = async (collection, member) => {
    if (rootIds.has(member.id) || !isShowable(session, member)) return undefined
    return itemOf(session, member, places.inCollection(collection))
  }

  const find: ItemTree['find'] = async (id) => {
    const document = await findReadable(session, id)
    const item = document && (await show(document))
    return document && item && { document, item }
  }

  return {
    top,
    roots,
    chosenIds,
    find,
    show,
    showIn,
    async findById(id, parentId) {
      const address = parseItemId(id)
      if (address === undefined || address.kind === 'top' || address.repository !== repository.name) return undefined
      const found = await find(address.documentId)
      // A root is no longer what it was inside of another.
      if (found === undefined || found.item.id !== id) return undefined
      const parent = parentId === undefined ? undefined : parseItemId(parentId)
      if (parent === undefined || parent.kind !== 'collection') return found
      const collection = roots.find((root) => root.id === parent.documentId)
      if (collection === undefined || !collectionIds(found.document).includes(collection.id)) return found
      const member = await showIn(collection, found.document)
      return member && { ...found, item: member }
    },
  }
}

/** Whether an id means the top, whichever word stands for the vendor in it. */
export function isTop(id: string): boolean {
  return parseItemId(id)?.kind === 'top'
}

async function listRoots(session: Session, ids: ReadonlySet<DocumentId>): Promise<readonly Document[]> {
  const { maxListedBytes } = session.repository.rules
  const stored = ids.size === 0 ? [] : await session.reader.documents.findAll([...ids], maxListedBytes)
  const roots: Document[] = []
  for (const document of stored)
    if (isRootable(session, document) && (await hasPermission(session, document, 'Read'))) roots.push(document)
  return roots.toSorted((one, other) => compareTexts(titleOf(one), titleOf(other)) || compareTexts(one.id, other.id))
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
