import type { DocumentId } from '../model/document.ts'
import type { Properties } from '../model/properties/property.ts'

/** A document that has a file. */
export interface BlobUse {
  readonly key: string
  readonly documentId: DocumentId
  /** Null for a version, which has no place. */
  readonly path: string | null
  readonly type: string
  readonly properties: Properties
  /** Where to go on. */
  readonly seq: number
}

/** The files of a live document, or of a version of it. */
export interface PlacedFiles {
  readonly documentId: DocumentId
  /** That of the live document. */
  readonly path: string
  readonly isTrashed: boolean
  /** Of all files together. */
  readonly bytes: number
  readonly seq: number
}

export type BlobReferrer = Pick<BlobUse, 'documentId' | 'seq'>

/** Which files are needed. */
export interface BlobKeyReader {
  /**
   * Those of the keys that a document refers to, or a document or an upload batch released after that moment: a transaction
   * that read of it before may be about to commit a reference of its own.
   */
  listNeeded(keys: readonly string[], releasedAfter: string): Promise<ReadonlySet<string>>
  /** All keys in what is stored for later: upload batches, results, jobs. */
  listMentioned(): Promise<ReadonlySet<string>>
  /** Those of the keys that are the digest of a file which a document has under another key. */
  listDigests(keys: readonly string[]): Promise<ReadonlySet<string>>
  /** Keys of files that have the digest: more than one where different files have the same. */
  listKeysOf(digest: string): Promise<ReadonlySet<string>>
  /** Whether any document has a file. */
  hasAny(): Promise<boolean>
  /** Keys of earlier programs that documents still refer to, in order, behind one of the page before. */
  listOldAddresses(after: string, limit: number): Promise<readonly string[]>
  countOldAddresses(): Promise<number>
  /** How many files documents have, each counted once. */
  count(): Promise<number>
  /** Documents that refer to the key, behind one of the page before. */
  listReferrers(key: string, after: number, limit: number): Promise<readonly BlobReferrer[]>
  /** The present moment by the clock that says when files were released. */
  now(): Promise<string>
  /** What is at or below a path, is no proxy and has files, in the order of paths, behind one of the page before. */
  listPlaced(path: string, after: PlacedFiles | undefined, limit: number): Promise<readonly PlacedFiles[]>
  /** Versions with files of what is at or below a path, in the order of paths, behind one of the page before. */
  listPlacedVersions(path: string, after: PlacedFiles | undefined, limit: number): Promise<readonly PlacedFiles[]>
  /** Documents and the files they have, by key, behind one of the page before. */
  listUses(after: Pick<BlobUse, 'key' | 'seq'> | undefined, limit: number): Promise<readonly BlobUse[]>
}

export interface BlobKeyWriter extends BlobKeyReader {
  /** Forgets what was read from files that are gone; not of those that a document refers to after all. */
  forgetTexts(keys: readonly string[]): Promise<void>
  /** What was read from the file under one key is known under the other, too. */
  copyTexts(from: string, to: string): Promise<void>
  /** Forgets who let go of what before then. */
  forgetReleases(before: string): Promise<void>
}
