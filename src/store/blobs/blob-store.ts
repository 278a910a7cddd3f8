import type { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'

/** Of the digest that clients are shown, in hexadecimal digits. */
export type DigestAlgorithm = 'MD5' | 'SHA-256'

/** Bytes that were written and are durable, with what identifies them. */
export interface StoredBlob {
  /** Names the bytes in this store: their SHA-256. */
  readonly key: string
  /** What clients are shown and compare with. */
  readonly digest: string
  readonly digestAlgorithm: string
  readonly length: number
}

export interface ByteRange {
  readonly start: number
  /** Inclusive. */
  readonly end: number
}

/** A blob as the store has it, for those who look after all of them. */
export interface ListedBlob {
  readonly key: string
  readonly length: number
  /** When it was last written, or written again. */
  readonly touched: Date
}

/** What a client that is sent elsewhere for the bytes shall get there. */
export interface DirectDownload {
  readonly contentType: string
  readonly contentDisposition: string
  readonly cacheControl: string
}

export const blobMissing = defineProblem('blobMissing', 'notFound', (of: { key: string }) => `There is no blob ${of.key}.`)

export const noSpaceLeft = defineProblem(
  'noSpaceLeft',
  'noSpace',
  () => 'There is no space left for files on this server. Free some or tell an administrator; nothing was stored.',
)

/** The bytes are not those that were stored: the disk or another process changed them. */
export const blobDamaged = defineProblem(
  'blobDamaged',
  'failed',
  (of: { key: string; expected: number; found: number }) =>
    `The file ${of.key} is damaged: it should have ${of.expected} bytes and has ${of.found}. ` +
    'Upload it again, or have an administrator bring it back from a backup.',
)

export const filesReadOnly = defineProblem(
  'filesReadOnly',
  'noSpace',
  (_: object) => 'The place of the files on this server cannot be written to. Tell an administrator; nothing was stored.',
)

export const filesUnavailable = defineProblem(
  'filesUnavailable',
  'unavailable',
  (_: object) => 'The files of this server cannot be read or written at the moment. Try again later.',
)

/** Where the bytes of files are. Content-addressed: the same bytes are stored once. */
export interface BlobStore {
  readonly digestAlgorithm: DigestAlgorithm
  /**
   * Durable when it resolves, before any row refers to it. What is there under the key already stays, unless it has another length or
   * was marked as flawed: then it is replaced.
   * @throws noSpaceLeft, filesReadOnly, filesUnavailable
   */
  write(content: Readable | Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<StoredBlob>
  /** The same of a file of this machine, whose bytes do not pass through the thread that answers; absent where they have to. */
  writeFile?(path: string): Promise<StoredBlob>
  /**
   * The bytes, or a range of them; of a whole that has this length, where the caller knows it.
   * @throws blobMissing when there is no such key, blobDamaged when the length is another, filesUnavailable
   */
  read(key: string, range?: ByteRange, length?: number): Promise<Readable>
  has(key: string): Promise<boolean>
  /**
   * Puts a copy of the bytes where another program finds it, without their passing through this one; false where they are not there in
   * that length, for `read` to say why. Absent where they are on another machine.
   */
  copyTo?(key: string, path: string, length: number): Promise<boolean>
  /**
   * Where the bytes are below the folder of this store, if they lie where they belong in that length: for a program that may read the folder.
   * Absent where there is none.
   */
  findPath?(key: string, length: number): Promise<string | undefined>
  /** Gives bytes that are there under one key the name of what they are, too. @throws blobMissing */
  addAddress(key: string, blob: StoredBlob): Promise<void>
  /** All there are, or those whose keys begin so, in no order; those that come or go meanwhile may be among them or not. */
  list(firstDigits?: string): AsyncIterable<ListedBlob>
  /** Removes a blob unless it was touched since; false when it was, or is not there. */
  remove(blob: ListedBlob): Promise<boolean>
  /** Bytes of writes that were never finished, left by processes that ended in the middle; gives how many were removed. */
  removeUnfinished(before: Date): Promise<number>
  /** The present moment by the clock that says when blobs were touched, which need not be that of this machine. */
  now(): Promise<Date>
  /** Says whose files these are; undefined before the first `setOwner`. */
  findOwner(): Promise<string | undefined>
  setOwner(id: string): Promise<void>
  readonly flaws: BlobFlaws
  /** An address from which a client gets the bytes without us, for a short while; absent where there is none. */
  directUrl?(key: string, download: DirectDownload): Promise<string>
}

/** Which blobs were found missing or damaged; stored beside them, so that every process and command knows. */
export interface BlobFlaws {
  mark(key: string): Promise<void>
  clear(key: string): Promise<void>
  list(): AsyncIterable<string>
}
