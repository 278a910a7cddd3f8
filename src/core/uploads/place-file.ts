import type { StoredBlob } from '../../store/blobs/blob-store.ts'
import { findFile, listChunks, type UploadedFile } from './batch-files.ts'
import { type BatchChange, changeBatch } from './batches.ts'
import { requireQuota, tooManyFiles } from './limits.ts'
import { assemblyKey, chunksPrefix, fileKey, tallyKey } from './upload-keys.ts'
import type { UploadRules, Uploads } from './uploads.ts'

/** What a client says about a file. */
export interface FileFacts {
  readonly name: string | null
  readonly mimeType: string | null
}

/** Puts a file whose bytes are stored into a batch, in the place of whatever has its number. Undefined when the batch is gone. */
export function placeFile(
  uploads: Uploads,
  batchId: string,
  index: number,
  facts: FileFacts,
  blob: StoredBlob,
): Promise<boolean | undefined> {
  return changeBatch(uploads, batchId, async (change) => {
    const { tx, now, expires } = change
    const before = await findFile(tx.transient, batchId, index, now)
    if (before === undefined) await countFile(change, uploads.rules, batchId)
    else await clear(change, batchId, before)
    await requireQuota(tx.transient, uploads.rules, batchId, blob.length, now)
    await tx.transient.set(fileKey(batchId, index), { kind: 'normal', ...facts, blob }, expires)
    await tx.transient.increase(tallyKey(batchId, 'bytes'), blob.length, expires, now)
    return true
  })
}

/** False when there is no such file; undefined when the batch is gone. */
export function removeFile(uploads: Uploads, batchId: string, index: number): Promise<boolean | undefined> {
  return changeBatch(uploads, batchId, async (change) => {
    const { tx, now, expires } = change
    const file = await findFile(tx.transient, batchId, index, now)
    if (file === undefined) return false
    await clear(change, batchId, file)
    await tx.transient.remove(fileKey(batchId, index))
    await tx.transient.increase(tallyKey(batchId, 'files'), -1, expires, now)
    return true
  })
}

/** @throws tooManyFiles */
export async function countFile({ tx, now, expires }: BatchChange, { maxFiles }: UploadRules, batchId: string): Promise<void> {
  const files = await tx.transient.increase(tallyKey(batchId, 'files'), 1, expires, now)
  if (files > maxFiles) throw tooManyFiles({ maxFiles })
}

/** Takes away what a file holds, and leaves its row. */
async function clear({ tx, now, expires }: BatchChange, batchId: string, { index, mark }: UploadedFile): Promise<void> {
  const stored = mark.blob === null ? await listChunks(tx.transient, batchId, index, now) : [mark.blob]
  const bytes = stored.reduce((sum, { length }) => sum + length, 0)
  await tx.transient.increase(tallyKey(batchId, 'bytes'), -bytes, expires, now)
  await tx.transient.removeAll(chunksPrefix(batchId, index))
  await tx.transient.remove(assemblyKey(batchId, index))
}
