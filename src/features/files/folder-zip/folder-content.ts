import { type DocumentBlob, mainBlob } from '../../../core/blobs/document-blobs.ts'
import { shapeSeen, throughProxy } from '../../../core/documents/proxies/proxy.ts'
import { findReadable } from '../../../core/documents/read-document.ts'
import { folderOrder, visibleTo } from '../../../core/documents/visible-children.ts'
import { hasPermission } from '../../../core/permissions.ts'
import type { Session } from '../../../core/session.ts'
import type { Document } from '../../../model/document.ts'

/** What a folder has for a download. */
export type FolderItem =
  | { readonly kind: 'file'; readonly document: Document; readonly held: DocumentBlob }
  | { readonly kind: 'folder'; readonly document: Document; readonly items: readonly FolderItem[] }

// Of the rendition containerDefaultRendition (contract: blobs 7.5).
const maxItems = 200
const maxDepth = 2

export function isContainer({ model }: Session, document: Document): boolean {
  const shape = shapeSeen(model, document)
  return shape.hasFacet('Folderish') || shape.hasFacet('Collection')
}

/** The main files of what is in a folder or collection, and folders in it down to their own files; all that may be read, in order. */
export async function listFolderItems(session: Session, container: Document, depth = 1): Promise<readonly FolderItem[]> {
  const items: FolderItem[] = []
  for (const document of await listWithin(session, container)) {
    if (!isContainer(session, document)) {
      const held = mainBlob(session, document)
      if (held !== undefined) items.push({ kind: 'file', document, held })
    } else if (depth < maxDepth) {
      items.push({ kind: 'folder', document, items: await listFolderItems(session, document, depth + 1) })
    }
  }
  return items
}

function listWithin(session: Session, container: Document): Promise<readonly Document[]> {
  return shapeSeen(session.model, container).hasFacet('Folderish')
    ? listChildren(session, container)
    : listMembers(session, container)
}

async function listChildren(session: Session, folder: Document): Promise<readonly Document[]> {
  if (!(await hasPermission(session, folder, 'ReadChildren'))) return []
  const filter = await visibleTo(session, folder)
  const { maxListedBytes } = session.repository.rules
  const order = folderOrder(session, folder)
  const children = await session.reader.documents.listChildren(filter, order, maxItems, 0, maxListedBytes)
  const readable: Document[] = []
  for (const child of children) {
    if (await hasPermission(session, child, 'Read')) readable.push(await throughProxy(session, child))
  }
  return readable
}

async function listMembers(session: Session, { properties }: Document): Promise<readonly Document[]> {
  const ids = properties['collection:documentIds']
  const members: Document[] = []
  for (const id of Array.isArray(ids) ? ids.slice(0, maxItems) : []) {
    const member = await findReadable(session, String(id))
    if (member !== undefined && !member.isTrashed) members.push(member)
  }
  return members
}
