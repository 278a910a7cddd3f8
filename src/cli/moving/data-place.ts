import { resolve } from 'node:path'
import { defineProblem } from '../../base/problem.ts'
import type { Settings } from '../../builtin-settings.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { parseBlobsAddress } from '../../store/blobs/blobs-address.ts'
import { openBlobs } from '../../store/blobs/open-blobs.ts'
import type { CarriedPlace } from '../../store/transfer/open-carried.ts'

/** Where a server keeps what it has. */
export type DataPlace = Pick<Settings, 'data' | 'databaseUrl' | 'databaseDirectUrl' | 'databaseSchema' | 'blobs'>

export const targetFilesNotEmpty = defineProblem(
  'targetFilesNotEmpty',
  'conflict',
  (_: object) =>
    'There are files in the target that belong to another database, or to none that is known. Nothing was changed. Name an empty place.',
)

/** Where its files are, in the same words however they were given. */
export function blobsOf({ data, blobs }: DataPlace): string {
  const place = parseBlobsAddress(blobs ?? resolve(data, 'blobs'))
  return place.kind === 'folder' ? resolve(place.path) : (blobs ?? '')
}

/** Of its databases, past a pooler. */
export function placeOf({ data: dataFolder, databaseUrl: usual, databaseDirectUrl, databaseSchema }: DataPlace): CarriedPlace {
  const databaseUrl = databaseDirectUrl ?? usual
  return { dataFolder, databaseSchema, ...(databaseUrl !== undefined && { databaseUrl }) }
}

/** MD5, by which old files are named. */
export function openFiles({ data: dataFolder, blobs }: DataPlace): Promise<BlobStore> {
  return openBlobs({ dataFolder, digestAlgorithm: 'MD5', ...(blobs !== undefined && { address: blobs }) })
}

/** From the first file on they belong to the database that is copied, so that the copy goes on after a kill. @throws targetFilesNotEmpty */
export async function claimFiles(target: BlobStore, id: string): Promise<void> {
  const owner = await target.findOwner()
  if (owner === id) return
  if (owner !== undefined) throw targetFilesNotEmpty({})
  for await (const _ of target.list()) throw targetFilesNotEmpty({})
  await target.setOwner(id)
}
