import type { Document, DocumentId } from '../model/document.ts'
import type { SearchWindow } from './search.ts'

/** Which children. */
export interface ChildrenFilter {
  readonly parentId: DocumentId
  /** Lists of entries whose documents the caller may see; undefined means all. */
  readonly readableAcps?: readonly number[]
  /** Leaves out trashed children and those of types that hide. */
  readonly visibleOnly?: {
    readonly hiddenTypes: readonly string[]
    /** True: the trashed ones instead of the others. */
    readonly inTrash?: boolean
  }
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

export interface ChildrenSummary {
  readonly count: number
  /** Null where none has the property. */
  readonly greatest: string | null
}

/** How many documents of a type somebody created in a month; null where the document does not say. */
export interface DocumentTally {
  readonly type: string
  readonly creator: string | null
  /** `2031-05` */
  readonly month: string | null
  readonly count: number
  /** The last of them. */
  readonly seq: number
}

/** A document by the number that tells the order of creation, which never changes. */
export interface NumberedId {
  readonly id: DocumentId
  readonly seq: number
}

export interface DocumentReader {
  /** So many of all documents, proxies and versions among them, in the order of creation, behind one of the page before. */
  listIdsAfter(after: number, limit: number): Promise<readonly NumberedId[]>
  /** The numbers of those that exist, in any order. */
  listNumbers(ids: readonly DocumentId[]): Promise<readonly NumberedId[]>
  /** Versions and proxies of these series, in the order of creation, behind one of the page before. */
  listIdsOfSeries(seriesIds: readonly DocumentId[], after: number, limit: number): Promise<readonly NumberedId[]>
  /** Counts so many of all documents, proxies and versions among them, behind one of the page before. */
  tally(after: number, limit: number): Promise<readonly DocumentTally[]>
  find(id: DocumentId): Promise<Document | undefined>
  /** The one of this id or path will be looked for in a moment: what is asked of the database until then may be asked with it. */
  expect?(reference: { readonly id: DocumentId } | { readonly path: string }): void
  /** Path as stored: absolute, no trailing slash, `/` for the root. */
  findByPath(path: string): Promise<Document | undefined>
  findChild(parentId: DocumentId, name: string): Promise<Document | undefined>
  hasChild(parentId: DocumentId, name: string): Promise<boolean>
  /** Those of the names that children have already, in any order. */
  listTakenNames(parentId: DocumentId, names: readonly string[]): Promise<readonly string[]>
  /** In the order asked, when they hold no more than so many bytes together; ids that do not exist are left out. @throws documentsTooLarge */
  findAll(ids: readonly DocumentId[], maxBytes?: number): Promise<readonly Document[]>
  /** By path, top down; paths that do not exist are left out. */
  findAllByPath(paths: readonly string[]): Promise<readonly Document[]>
  /** @throws documentsTooLarge */
  listChildren(
    filter: ChildrenFilter,
    sort: readonly SortKey[],
    limit: number,
    offset: number,
    maxBytes?: number,
  ): Promise<readonly Document[]>
  /** Counts up to the limit and no further. */
  countChildren(filter: ChildrenFilter, limit: number): Promise<number>
  /**
   * How many children each of the parents has in those lists of entries, or in all, and the greatest text that a property has among
   * them. Parents without any are left out.
   */
  summariseChildren(
    parentIds: readonly DocumentId[],
    property: string,
    readableAcps?: readonly number[],
  ): Promise<ReadonlyMap<DocumentId, ChildrenSummary>>
  /** Proxies of a version series, anywhere, as far as the caller may see them: those lists of entries, or all. */
  countProxies(seriesId: DocumentId, readableAcps?: readonly number[]): Promise<number>
  /** A document of the subtree, the root of it included, that stands in the way of its removal. */
  findRetained(path: string, now: string): Promise<Document | undefined>
  /**
   * Documents whose retention ended by then and was not cleared yet, those that ended first before others. `after` is the last one
   * of the page before.
   */
  listRetentionsEnded(now: string, after: Document | undefined, limit: number): Promise<readonly Document[]>
  /** A proxy outside the subtree that points into it, and its target. */
  findProxyInto(path: string): Promise<{ readonly proxyId: DocumentId; readonly targetId: DocumentId } | undefined>
  /** Versions of a live document, oldest first. @throws documentsTooLarge */
  listVersions(seriesId: DocumentId, page?: SearchWindow): Promise<readonly Document[]>
  findLatestVersion(seriesId: DocumentId): Promise<Document | undefined>
  /** The highest position among the children, or undefined when none has one. */
  lastPosition(parentId: DocumentId): Promise<number | undefined>
  /** Ids of all children in their order: by position, those without one last and by name. */
  listChildIds(parentId: DocumentId): Promise<readonly DocumentId[]>
  /**
   * What is below a path, the document there left out, in the order of paths, so that a parent comes before its children. `after`
   * is the last path of the page before.
   */
  listBelow(path: string, after: string | undefined, limit: number): Promise<readonly Document[]>
  /** Trashed documents below a path whose name may carry the mark of the trash, in the order of paths. */
  listRenamedByTrash(path: string): Promise<readonly Document[]>
  /** Proxies below a path. */
  listProxiesBelow(path: string): Promise<readonly Document[]>
  /**
   * Documents with a list property that names this document, or one below it, by id. The property is one whose items are indexed. For
   * large trees: what is below is not read.
   */
  listNaming(property: string, target: Pick<Document, 'id' | 'path'>): Promise<readonly Document[]>
  /** The ids of proxies that point to this very document or version, in the order of their paths. */
  listProxyIds(targetId: DocumentId): Promise<readonly DocumentId[]>
  /** Proxies of a version series among a folder's children, or wherever they are. */
  listProxies(seriesId: DocumentId, parentId?: DocumentId): Promise<readonly Document[]>
}

/** Where a document is to be. */
export interface Place {
  readonly parentId: DocumentId
  readonly name: string
  readonly path: string
  readonly position: number | null
}

export interface RemovedSubtree {
  readonly liveIds: readonly DocumentId[]
  /** Series that the removed proxies belonged to, each once. */
  readonly proxiedSeriesIds: readonly DocumentId[]
}

export interface DocumentWriter extends DocumentReader {
  /** Reads the document and locks its row until the transaction ends. */
  findForUpdate(id: DocumentId): Promise<Document | undefined>
  /**
   * Reads again a document that was read in this transaction, and takes a shared lock on its row, so that it is not moved or removed
   * nor its rights changed, as creating a child needs. Where one writes at a time it is so already.
   */
  findForShare(document: Document): Promise<Document | undefined>
  /** False when another child of the parent has the name; nothing is written then. */
  insert(document: Document): Promise<boolean>
  /**
   * Writes everything but id, parent, name, path, position and own rights, provided that the document was not changed since
   * `before` was read (its change token). Gives the ids of the proxies that repeat it, by their paths; undefined when it was changed.
   */
  update(before: Document, after: Document): Promise<readonly DocumentId[] | undefined>
  /**
   * Puts the document there, and everything below it with it; what they inherit is then the new parent's, also for their
   * versions. False when another child of the parent has the name; nothing is written then. Where the parent is no longer where
   * the new path says, the whole transaction runs again; that the new place is not below the document itself is for the caller
   * to see to.
   * @throws pathTooLong
   */
  move(document: Document, to: Place): Promise<boolean>
  /** Sets or clears the flag of everything below a path that is no proxy; gives the ids of what changed, in any order. */
  setTrashedBelow(path: string, isTrashed: boolean): Promise<readonly DocumentId[]>
  /** Gives these children the positions 0, 1, 2 … */
  setPositions(ids: readonly DocumentId[]): Promise<void>
  /** Keeps everything at and below a path as it is until the transaction ends. */
  lockSubtree(path: string): Promise<void>
  /** Removes the document and all below it. */
  removeSubtree(document: Document): Promise<RemovedSubtree>
  remove(id: DocumentId): Promise<void>
  /**
   * Locks versions whose live document is gone and that nothing keeps, no proxy, no legal hold and no version that names them in one of
   * the indexed lists, up to the limit. Gives their ids.
   */
  lockOrphanVersions(seriesIds: readonly DocumentId[], lists?: readonly string[], limit?: number): Promise<readonly DocumentId[]>
  removeVersions(ids: readonly DocumentId[]): Promise<void>
  /** Sets the latest flags of a series anew, also those that its proxies repeat. Gives the ids of those for which it made a difference. */
  refreshLatestFlags(seriesId: DocumentId): Promise<readonly DocumentId[]>
  /** Many at once, for loading: no name check, no events; the caller vouches for consistency. */
  insertMany(documents: readonly Document[]): Promise<void>
}
