import type { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'

/** How bytes are named: hexadecimal digits of the digest. */
export type DigestAlgorithm = 'MD5' | 'SHA-256'

/** Bytes that were written and are durable, with what identifies them. */
export interface StoredBlob {
  /** Names the bytes in this store; with content addressing, their digest. */
  readonly key: string
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

/** Where the bytes of files are. Content-addressed: the same bytes are stored once. */
export interface BlobStore {
  readonly digestAlgorithm: DigestAlgorithm
  /** Durable when it resolves, before any row refers to it. @throws noSpaceLeft */
  write(content: Readable | Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<StoredBlob>
  /** @throws blobMissing when there is no such key. */
  read(key: string, range?: ByteRange): Promise<Readable>
  has(key: string): Promise<boolean>
  /** All there are, or those whose keys begin so, in no order; those that come or go meanwhile may be among them or not. */
  list(firstDigits?: string): AsyncIterable<ListedBlob>
  /** Removes a blob unless it was touched since; false when it was, or is not there. */
  remove(blob: ListedBlob): Promise<boolean>
  /** Bytes of writes that were never finished, left by processes that ended in the middle; gives how many were removed. */
  removeUnfinished(before: Date): Promise<number>
  /** An address from which a client gets the bytes without us, for a short while; absent where there is none. */
  directUrl?(key: string, download: DirectDownload): Promise<string>
}
