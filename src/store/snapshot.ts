import type { Document, DocumentId } from '../model/document.ts'
import type { DirectoryEntry, DirectoryReader } from './directories.ts'
import type { DocumentReader } from './documents.ts'
import type { TableReader } from './tables.ts'

/** Documents with the number behind which the next page begins. */
export interface NumberedPage {
  readonly documents: readonly Document[]
  /** Undefined when there are no more. */
  readonly last: number | undefined
}

type FromReader = 'find' | 'findAll' | 'findByPath' | 'findAllByPath' | 'listBelow' | 'listNaming'

/** What a program that takes everything along asks for, beside the usual. */
export interface SnapshotDocuments extends Pick<DocumentReader, FromReader> {
  /** Versions of live documents, those of one after those of another, the oldest first. */
  listVersionsOfAll(seriesIds: readonly DocumentId[]): Promise<readonly Document[]>
  /** Documents without a place that are no versions, in the order in which they were made. */
  listPlaceless(after: number, limit: number): Promise<NumberedPage>
  /** Versions whose live document is gone. */
  listOrphanVersions(after: number, limit: number): Promise<NumberedPage>
  /** Documents without a place of which a property names the document at the path, or one below it, by id. */
  listPlacelessNaming(property: string, path: string): Promise<readonly Document[]>
}

export interface SnapshotDirectories extends Pick<DirectoryReader, 'find' | 'listTargets'> {
  /** Entries of a directory by id, behind one of the page before. */
  listAfter(directory: string, after: string, limit: number): Promise<readonly DirectoryEntry[]>
}

/** A database as it is at one moment, whatever is committed meanwhile. What is read of it may take as long as it takes. */
export interface Snapshot {
  readonly documents: SnapshotDocuments
  readonly directories: SnapshotDirectories
  /** Those of plugins. */
  readonly tables: TableReader
  close(): Promise<void>
}
