import type { Readable } from 'node:stream'
import type { BlobValue } from '../../model/properties/property.ts'
import type { BlobStore, ByteRange, StoredBlob } from '../../store/blobs/blob-store.ts'

/** A file as it comes: uploaded already, or still on the disk of the command. */
export interface SourceFile {
  /** Perhaps with folders before it, as browsers of old sent them. */
  readonly name: string | null
  /** What its sender says that it is, perhaps with a charset. */
  readonly mimeType: string | null
  readonly encoding: string | null
  readonly length: number
  read(range?: ByteRange): Promise<Readable>
  /** Puts the bytes into the blob store, unless they are there. */
  store(): Promise<StoredBlob>
}

/** A file whose bytes are in the blob store. */
export function storedFile(blobs: Pick<BlobStore, 'read'>, blob: BlobValue): SourceFile {
  const { key, name, encoding, digest, digestAlgorithm, length } = blob
  return {
    name,
    mimeType: blob['mime-type'],
    encoding,
    length,
    read: (range) => blobs.read(key, range),
    store: async () => ({ key, digest, digestAlgorithm, length }),
  }
}
