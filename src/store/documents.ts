import type { Document, DocumentId } from '../model/document.ts'

/** Which children: hidden types are by type and by a document's own facets. */
export interface ChildrenFilter {
  readonly parentId: DocumentId
  /** Lists of entries whose documents the caller may see; undefined means all. */
  readonly readableAcps?: readonly number[]
  /** Leaves out trashed children and those that any of these types or own facets hide. */
  readonly visibleOnly?: { readonly hiddenTypes: readonly string[]; readonly hiddenFacet: string }
  /** Keeps only these types, or documents that have the facet themselves. */
  readonly onlyTypes?: { readonly types: readonly string[]; readonly facet: string }
}

/** A column or property to order by. Text is in code-point order on both engines, null first when ascending. */
export interface SortKey {
  readonly by:
    | { readonly kind: 'property'; readonly name: string; readonly isNumeric: boolean }
    | {
        readonly kind: 'column'
        readonly name: 'id' | 'name' | 'position' | 'path' | 'type' | 'state' | 'majorVersion' | 'minorVersion'
      }
  readonly descending: boolean
}

export interface DocumentReader {
  find(id: DocumentId): Promise<Document | undefined>
  /** Path as stored: absolute, no trailing slash, `/` for the root. */
  findByPath(path: string): Promise<Document | undefined>
  findChild(parentId: DocumentId, name: string): Promise<Document | undefined>
  hasChild(parentId: DocumentId, name: string): Promise<boolean>
  /** In the order asked; ids that do not exist are left out. */
  findAll(ids: readonly DocumentId[]): Promise<readonly Document[]>
  /** By path, top down; paths that do not exist are left out. */
  findAllByPath(paths: readonly string[]): Promise<readonly Document[]>
  listChildren(filter: ChildrenFilter, sort: readonly SortKey[], limit: number, offset: number): Promise<readonly Document[]>
  /** Counts up to the limit and no further. */
  countChildren(filter: ChildrenFilter, limit: number): Promise<number>
  /** Proxies of a version series, anywhere. */
  countProxies(seriesId: DocumentId): Promise<number>
  /** Whether a proxy points to this very document or version. */
  hasProxyTo(targetId: DocumentId): Promise<boolean>
  /** A document of the subtree, the root of it included, that stands in the way of its removal. */
  findRetained(path: string, now: string): Promise<Document | undefined>
  /** A proxy outside the subtree that points into it, and its target. */
  findProxyInto(path: string): Promise<{ readonly proxyId: DocumentId; readonly targetId: DocumentId } | undefined>
  /** Versions of a live document, oldest first. */
  listVersions(seriesId: DocumentId): Promise<readonly Document[]>
  findLatestVersion(seriesId: DocumentId): Promise<Document | undefined>
  /** The highest position among the children, or undefined when none has one. */
  lastPosition(parentId: DocumentId): Promise<number | undefined>
}

export interface DocumentWriter extends DocumentReader {
  /** Reads and keeps others from changing the document until the transaction ends. */
  findForUpdate(id: DocumentId): Promise<Document | undefined>
  /**
   * Keeps a document that was read in this transaction from being moved or removed or its rights changed, as creating a child
   * needs, and gives it as it is now. Where one writes at a time it is so already.
   */
  hold(document: Document): Promise<Document | undefined>
  /** False when another child of the parent has the name; nothing is written then. */
  insert(document: Document): Promise<boolean>
  /**
   * Writes everything but id, parent, name, path and own rights, provided that nobody changed the document since `before`
   * was read (its change token); false when somebody did.
   */
  update(before: Document, after: Document): Promise<boolean>
  /** Removes the document and all below it; gives the ids of the live documents removed. */
  removeSubtree(document: Document): Promise<readonly DocumentId[]>
  remove(id: DocumentId): Promise<void>
  /** Versions whose live document is gone and that no proxy needs. Gives how many were removed. */
  removeOrphanVersions(seriesIds: readonly DocumentId[]): Promise<number>
  /** Sets the latest flags of a series anew. */
  refreshLatestFlags(seriesId: DocumentId): Promise<void>
  /** Many at once, for loading: no name check, no events; the caller vouches for consistency. */
  insertMany(documents: readonly Document[]): Promise<void>
}
