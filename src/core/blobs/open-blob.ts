import { Readable } from 'node:stream'
import { type BlobStore, type ByteRange, blobMissing } from '../../store/blobs/blob-store.ts'
import type { DocumentBlob } from './document-blobs.ts'

export type BlobContent = Pick<DocumentBlob, 'blob' | 'bytes'>

/** The bytes of a blob, or a range of them. Whoever opens the stream reads it to its end or destroys it. @throws blobMissing, blobDamaged */
export async function openBlob(store: BlobStore, { blob, bytes }: BlobContent, range?: ByteRange): Promise<Readable> {
  if (bytes === undefined) return store.read(blob.key, range, blob.length)
  return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)])
}

/** @throws blobMissing */
export async function requireBytes(store: BlobStore, { blob, bytes }: BlobContent): Promise<void> {
  if (bytes === undefined && !(await store.has(blob.key))) throw blobMissing({ key: blob.key })
}
