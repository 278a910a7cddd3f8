import { join } from 'node:path'
import type { BlobStore, DigestAlgorithm } from './blob-store.ts'
import { parseBlobsAddress } from './blobs-address.ts'
import { createFilesystemBlobs } from './filesystem-blobs.ts'

export interface BlobsPlace {
  /** As a person wrote it; absent: in the data folder. */
  readonly address?: string
  readonly dataFolder: string
  readonly digestAlgorithm: DigestAlgorithm
}

/**
 * Opens the blobs, wherever they are. The SDK of an object store is loaded only where there is one: it takes longer than all else
 * that a start needs.
 * @throws blobsAddressWrong, bucketUnusable
 */
export async function openBlobs({ address, dataFolder, digestAlgorithm }: BlobsPlace): Promise<BlobStore> {
  const place = parseBlobsAddress(address ?? join(dataFolder, 'blobs'))
  if (place.kind === 'folder') return createFilesystemBlobs({ folder: place.path, digestAlgorithm })
  const { openS3Blobs } = await import('./s3/s3-blobs.ts')
  return openS3Blobs(place, digestAlgorithm)
}
