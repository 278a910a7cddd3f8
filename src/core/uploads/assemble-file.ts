import { Readable } from 'node:stream'
import { handOver } from '../../base/spent-bytes.ts'
import type { BlobStore, StoredBlob } from '../../store/blobs/blob-store.ts'
import type { TransientWriter } from '../../store/transient.ts'
import { findFile, isComplete, listChunks, type UploadedFile } from './batch-files.ts'
import { changeBatch } from './batches.ts'
import { assemblyKey, chunksPrefix, fileKey } from './upload-keys.ts'
import type { ChunkMark } from './upload-state.ts'
import { expiryFrom, type Uploads } from './uploads.ts'

// A process may die with the lease; the next request that needs the file assembles it so long after the last renewal.
const claimSeconds = 3

/** Whether it is us who put the file together now. */
export function claimAssembly(transient: TransientWriter, batchId: string, index: number, now: string): Promise<boolean> {
  return transient.lease(assemblyKey(batchId, index), claimSeconds, now)
}

/**
 * Makes one blob of the chunks of a complete file, for the process that has the lease. When it fails, or the process dies, the
 * chunks are all still there and the next request that needs the file does it. Undefined when the file is gone or is another by
 * now.
 */
export async function assembleFile(uploads: Uploads, batchId: string, index: number): Promise<StoredBlob | undefined> {
  const { store, now } = uploads
  const renewing = setInterval(() => void renewClaim(uploads, batchId, index), (claimSeconds * 1000) / 3)
  try {
    const file = await findFile(store.reader.transient, batchId, index, now())
    if (file === undefined || !isComplete(file)) return undefined
    if (file.mark.blob !== null) return file.mark.blob
    const blob = await joinChunks(uploads.blobs, await listChunks(store.reader.transient, batchId, index, now()))
    return await placeAssembled(uploads, batchId, file, blob)
  } finally {
    clearInterval(renewing)
    await store.transact((tx) => tx.transient.remove(assemblyKey(batchId, index)))
  }
}

async function renewClaim({ store, now }: Uploads, batchId: string, index: number): Promise<void> {
  // Failing to is no harm but work done twice: both would make the same blob.
  await store
    .transact((tx) => tx.transient.renew(assemblyKey(batchId, index), expiryFrom(now(), claimSeconds), now()))
    .catch(() => undefined)
}

async function joinChunks(blobs: BlobStore, chunks: readonly ChunkMark[]): Promise<StoredBlob> {
  const [only, ...others] = chunks
  if (only !== undefined && others.length === 0) return only
  return blobs.write(handOver(Readable.from(everyByte(blobs, chunks), { objectMode: false })))
}

async function* everyByte(blobs: BlobStore, chunks: readonly ChunkMark[]): AsyncGenerator<Buffer> {
  for (const { key, length } of chunks) yield* await blobs.read(key, undefined, length)
}

function placeAssembled(
  uploads: Uploads,
  batchId: string,
  { index, mark }: UploadedFile,
  blob: StoredBlob,
): Promise<StoredBlob | undefined> {
  return changeBatch(uploads, batchId, async ({ tx, now, expires }) => {
    const current = (await findFile(tx.transient, batchId, index, now))?.mark
    if (current?.kind !== 'chunked' || mark.kind !== 'chunked' || current.id !== mark.id) return undefined
    // Another was faster; the chunks may have gone while we read them, and what we made of them is nothing to go by.
    if (current.blob !== null) return current.blob
    await tx.transient.set(fileKey(batchId, index), { ...current, blob }, expires)
    await tx.transient.removeAll(chunksPrefix(batchId, index))
    return blob
  })
}
