import { setTimeout as wait } from 'node:timers/promises'
import type { BlobValue } from '../../model/properties/property.ts'
import type { StoredBlob } from '../../store/blobs/blob-store.ts'
import { assembleFile, claimAssembly } from './assemble-file.ts'
import { findFile, isComplete, listFiles, parseIndex, type UploadedFile } from './batch-files.ts'
import { findBatch } from './batches.ts'
import type { Uploads } from './uploads.ts'

/** A file of a batch as a blob of a document may be. It is waited for a little while it is coming in. */
export async function findUploadedBlob(uploads: Uploads, batchId: string, fileId: string): Promise<BlobValue | undefined> {
  const index = parseIndex(fileId)
  if (index === undefined || (await findBatch(uploads, batchId)) === undefined) return undefined
  const file = await awaitFile(uploads, batchId, index)
  return file && findBlob(uploads, batchId, file)
}

/** All files of a batch that are complete, in order. Those that are coming in are waited for a little. */
export async function listUploadedBlobs(uploads: Uploads, batchId: string): Promise<readonly BlobValue[]> {
  await awaitUploads(uploads, batchId)
  const files = await listFiles(uploads.store.reader.transient, batchId, uploads.now())
  const blobs: BlobValue[] = []
  for (const file of files.filter(isComplete)) {
    const blob = await findBlob(uploads, batchId, file)
    if (blob !== undefined) blobs.push(blob)
  }
  return blobs
}

/**
 * The blob of a complete file. While another process assembles the file, that is waited for as long as it takes: giving up would
 * lose a file that the client was told is complete. A process that dies stops renewing the lease, and it is ours. Undefined when
 * the file is gone.
 */
export async function findWholeBlob(uploads: Uploads, batchId: string, file: UploadedFile): Promise<StoredBlob | undefined> {
  const { store, now } = uploads
  for (let current: UploadedFile | undefined = file; current !== undefined && isComplete(current); ) {
    const blob = await finishFile(uploads, batchId, current)
    if (blob !== undefined) return blob
    current = await findFile(store.reader.transient, batchId, file.index, now())
    if (current?.mark.blob === null) await wait(pollMillis)
  }
  return undefined
}

/** Assembles a complete file that was not assembled yet, as after a crash. Undefined while another process is at it. */
export async function finishFile(
  uploads: Uploads,
  batchId: string,
  { index, mark }: UploadedFile,
): Promise<StoredBlob | undefined> {
  if (mark.blob !== null) return mark.blob
  const isOurs = await uploads.store.transact((tx) => claimAssembly(tx.transient, batchId, index, uploads.now()))
  return isOurs ? assembleFile(uploads, batchId, index) : undefined
}

/** Of what another process does, there is no word. */
const pollMillis = 200

async function awaitUploads({ rules, inProgress }: Uploads, batchId: string): Promise<void> {
  for (const deadline = performance.now() + rules.waitSeconds * 1000; ; ) {
    const left = deadline - performance.now()
    if (left <= 0 || !(await inProgress.next(batchId, left))) return
  }
}

async function awaitFile(uploads: Uploads, batchId: string, index: number): Promise<UploadedFile | undefined> {
  for (const deadline = performance.now() + uploads.rules.waitSeconds * 1000; ; ) {
    const file = await findFile(uploads.store.reader.transient, batchId, index, uploads.now())
    if (file !== undefined && isComplete(file)) return file
    const left = deadline - performance.now()
    if (left <= 0 || !(await uploads.inProgress.next(batchId, left))) return undefined
  }
}

async function findBlob(uploads: Uploads, batchId: string, file: UploadedFile): Promise<BlobValue | undefined> {
  const blob = await findWholeBlob(uploads, batchId, file)
  const { name, mimeType } = file.mark
  return blob && { ...blob, name, 'mime-type': mimeType, encoding: null }
}
