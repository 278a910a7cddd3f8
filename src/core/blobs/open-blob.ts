import { Readable } from 'node:stream'
import type { BlobStore, ByteRange } from '../../store/blobs/blob-store.ts'
import type { DocumentBlob } from './document-blobs.ts'

export type BlobContent = Pick<DocumentBlob, 'blob' | 'bytes'>

/**
 * The bytes of a blob, or a range of them. The caller reads the stream to its end or destroys it. @throws blobMissing,
 * blobDamaged
 */
export async function openBlob(store: BlobStore, { blob, bytes }: BlobContent, range?: ByteRange): Promise<Readable> {
  if (bytes === undefined) return store.read(blob.key, range, blob.length)
  return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)])
}

const firstByte: ByteRange = { start: 0, end: 0 }

/** For a caller that will read them later, when it is too late to refuse. @throws blobMissing, blobDamaged */
export async function requireBytes(store: BlobStore, content: BlobContent): Promise<void> {
  const stream = await openBlob(store, content, firstByte)
  stream.destroy()
}
