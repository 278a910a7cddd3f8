import { createReadStream } from 'node:fs'
import type { BlobStore, StoredBlob } from '../../store/blobs/blob-store.ts'

// Each piece is a turn of the thread that answers requests: a picture of two megabytes came in 33 of them.
const pieceBytes = 512 * 1024

/** Keeps what is in a file of this machine. */
export function storeFile(blobs: Pick<BlobStore, 'write'>, path: string): Promise<StoredBlob> {
  return blobs.write(createReadStream(path, { highWaterMark: pieceBytes }))
}
