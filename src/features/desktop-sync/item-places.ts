import { findReadable } from '../../core/documents/read-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { collectionIds } from '../collections/index.ts'
import { type FolderItem, type ItemPlace, isFolder, isShowable } from './file-system-item.ts'
import { type ItemKind, itemId } from './item-ids.ts'

/** Where documents are in the tree that a client shows: each in one place. */
export interface ItemPlaces {
  /** Undefined for what is not there. */
  find(document: Document): Promise<ItemPlace | undefined>
  /** Of what is seen in a collection that is a root. */
  inCollection(collection: Document): ItemPlace
}

export function createItemPlaces(session: Session, top: FolderItem, roots: readonly Document[]): ItemPlaces {
  const rootIds = new Set(roots.map(({ id }) => id))
  const known = new Map<DocumentId, Promise<ItemPlace | undefined>>()

  /** Each is looked for once: what is in a folder shares the way up. */
  function find(document: Document): Promise<ItemPlace | undefined> {
    const place = known.get(document.id) ?? look(document)
    known.set(document.id, place)
    return place
  }

  async function look(document: Document): Promise<ItemPlace | undefined> {
    if (rootIds.has(document.id)) return { kind: rootKind(session, document), parentId: top.id, parentPath: top.path }
    if (!isShowable(session, document)) return undefined
    return (await lookInFolder(document)) ?? lookInCollections(document)
  }

  async function lookInFolder({ parentId }: Document): Promise<ItemPlace | undefined> {
    const folder = parentId === null ? undefined : await findReadable(session, parentId)
    if (folder === undefined || !isFolder(session, folder)) return undefined
    const place = await find(folder)
    return place && inside(place, folder)
  }

  function lookInCollections(document: Document): ItemPlace | undefined {
    const ids = collectionIds(document)
    const collection = roots.find((root) => ids.includes(root.id) && rootKind(session, root) === 'collection')
    return collection && inCollection(collection)
  }

  function inCollection(collection: Document): ItemPlace {
    return inside({ kind: 'collection', parentId: top.id, parentPath: top.path }, collection)
  }

  return { find, inCollection }
}

function inside({ kind, parentPath }: ItemPlace, folder: Document): ItemPlace {
  const id = itemId(kind, folder.repository, folder.id)
  return { kind: 'item', parentId: id, parentPath: `${parentPath}/${id}` }
}

export function rootKind({ model }: Session, document: Document): Exclude<ItemKind, 'item'> {
  // What is both is shown with what is in it, which a collection of the name is not.
  return model.shapeOf(document).hasFacet('Folderish') ? 'root' : 'collection'
}
