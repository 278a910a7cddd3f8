import type { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'

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

export const blobMissing = defineProblem('blobMissing', 'notFound', (of: { key: string }) => `There is no blob ${of.key}.`)

/** Where the bytes of files are. Content-addressed: the same bytes are stored once. */
export interface BlobStore {
  /** Durable when it resolves, before any row refers to it. */
  write(content: Readable | Uint8Array, options?: { readonly signal?: AbortSignal }): Promise<StoredBlob>
  /** @throws blobMissing when there is no such key. */
  read(key: string, range?: ByteRange): Promise<Readable>
  has(key: string): Promise<boolean>
}
