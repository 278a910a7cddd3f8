import type { VendorIdentifiers } from '../../base/vendor.ts'

/** What a document is to a client: what is in a root, a root, or a root that is a collection. */
export type ItemKind = 'item' | 'root' | 'collection'

/** An item of the tree that a client sees: its top, or a document. */
export type ItemAddress =
  | { readonly kind: 'top' }
  | { readonly kind: ItemKind; readonly repository: string; readonly documentId: string }

/** Clients know these words, and some of them tell by them what an item is. */
const factories = {
  item: 'defaultFileSystemItemFactory',
  root: 'defaultSyncRootFolderItemFactory',
  collection: 'collectionSyncRootFolderItemFactory',
} as const satisfies Record<ItemKind, string>

const topFactory = /^org\.[A-Za-z][A-Za-z0-9]*\.drive\.service\.impl\.DefaultTopLevelFolderItemFactory$/

/** The folder of the client in which all roots are. */
export function topId(vendored: VendorIdentifiers): string {
  return vendored('org.platform.drive.service.impl.DefaultTopLevelFolderItemFactory#')
}

export function itemId(kind: ItemKind, repository: string, documentId: string): string {
  return `${factories[kind]}#${repository}#${documentId}`
}

/** Whether it can be the id of a document: the database takes no zeros, and nobody has longer ones. */
export function isDocumentId(text: string): boolean {
  return /^[^\p{Cc}]{1,100}$/u.test(text)
}

/** Undefined for what is no id of an item. Whichever word stands for the vendor, the top is the top. */
export function parseItemId(id: string): ItemAddress | undefined {
  const [factory = '', repository, documentId, ...rest] = id.split('#')
  if (topFactory.test(factory)) return (repository ?? '') === '' && documentId === undefined ? { kind: 'top' } : undefined
  const kind = (Object.keys(factories) as ItemKind[]).find((one) => factories[one] === factory)
  if (kind === undefined || !repository || !documentId || rest.length > 0 || !isDocumentId(documentId)) return undefined
  return { kind, repository, documentId }
}
