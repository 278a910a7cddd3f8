import { createReadStream } from 'node:fs'
import type { BlobStore, StoredBlob } from '../../store/blobs/blob-store.ts'

/** Keeps what is in a file of this machine. */
export function storeFile(blobs: Pick<BlobStore, 'write' | 'writeFile'>, path: string): Promise<StoredBlob> {
  return blobs.writeFile?.(path) ?? blobs.write(createReadStream(path))
}
