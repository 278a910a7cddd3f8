import { newId } from '../../base/ids.ts'
import { defineProblem } from '../../base/problem.ts'
import type { StoredBlob } from '../../store/blobs/blob-store.ts'
import { assembleFile, claimAssembly } from './assemble-file.ts'
import { findFile, type UploadedFile } from './batch-files.ts'
import { changeBatch } from './batches.ts'
import { requireQuota, tooManyChunks } from './limits.ts'
import { countFile, type FileFacts } from './place-file.ts'
import { chunkKey, fileKey, tallyKey } from './upload-keys.ts'
import type { FileMark } from './upload-state.ts'
import type { UploadRules, Uploads } from './uploads.ts'

export const chunkOutOfRange = defineProblem(
  'chunkOutOfRange',
  'invalid',
  (of: { chunk: number; file: number; count: number }) =>
    `Cannot add chunk with index ${of.chunk} to file ${of.file}: its chunks are 0 to ${of.count - 1}, as their count is ${of.count}.`,
)

export const chunkExists = defineProblem(
  'chunkExists',
  'conflict',
  (of: { chunk: number; file: number }) => `Cannot add chunk with index ${of.chunk} to file ${of.file}: it already exists.`,
)

export const notInChunks = defineProblem(
  'notInChunks',
  'conflict',
  (of: { file: number }) =>
    `Cannot add a chunk to file ${of.file}: it was uploaded in one piece. Remove it or use another index.`,
)

/** What a client says about a chunk. */
export interface SentChunk {
  readonly index: number
  readonly count: number
  /** Of the whole file; -1 when it is not known. */
  readonly fileSize: number
}

/**
 * Whether a chunk can be added to a file; undefined is one that is to begin with it. The first chunk decides what the file is.
 * @throws notInChunks, chunkOutOfRange, chunkExists, tooManyChunks
 */
export function requireFitting(file: UploadedFile | undefined, fileIndex: number, chunk: SentChunk, rules: UploadRules): void {
  if (file?.mark.kind === 'normal') throw notInChunks({ file: fileIndex })
  const count = file?.mark.chunkCount ?? chunk.count
  if (chunk.index < 0 || chunk.index >= count) throw chunkOutOfRange({ chunk: chunk.index, file: fileIndex, count })
  if (file === undefined && count > rules.maxChunks) throw tooManyChunks({ maxChunks: rules.maxChunks })
  if (file?.chunkIds.includes(chunk.index)) throw chunkExists({ chunk: chunk.index, file: fileIndex })
}

export interface PlacedChunk {
  readonly chunkIds: readonly number[]
  readonly chunkCount: number
  readonly isComplete: boolean
}

/** A chunk whose bytes are stored, and where it belongs. */
export interface ReceivedChunk {
  readonly batchId: string
  readonly fileIndex: number
  readonly facts: FileFacts
  readonly chunk: SentChunk
  readonly blob: StoredBlob
}

/** Puts a chunk into its batch, and the file together when it was the last one missing. Undefined when the batch is gone. */
export async function placeChunk(uploads: Uploads, received: ReceivedChunk): Promise<PlacedChunk | undefined> {
  const placed = await addChunk(uploads, received)
  if (placed?.isComplete) await assembleFile(uploads, received.batchId, received.fileIndex)
  return placed
}

function addChunk(uploads: Uploads, { batchId, fileIndex, facts, chunk, blob }: ReceivedChunk): Promise<PlacedChunk | undefined> {
  const { rules } = uploads
  return changeBatch(uploads, batchId, async (change) => {
    const { transient } = change.tx
    const { now, expires } = change
    const before = await findFile(transient, batchId, fileIndex, now)
    requireFitting(before, fileIndex, chunk, rules)
    await requireQuota(transient, rules, batchId, blob.length, now)
    if (before === undefined) {
      await countFile(change, rules, batchId)
      await transient.set(fileKey(batchId, fileIndex), begin(facts, chunk), expires)
    }
    await transient.set(chunkKey(batchId, fileIndex, chunk.index), blob, expires)
    await transient.increase(tallyKey(batchId, 'bytes'), blob.length, expires, now)
    const chunkIds = [...(before?.chunkIds ?? []), chunk.index].sort((left, right) => left - right)
    const chunkCount = before?.mark.kind === 'chunked' ? before.mark.chunkCount : chunk.count
    const isComplete = chunkIds.length === chunkCount
    // In this very transaction: exactly one request finds that it brought the last one.
    if (isComplete) await claimAssembly(transient, batchId, fileIndex, now)
    return { chunkIds, chunkCount, isComplete }
  })
}

function begin(facts: FileFacts, { count, fileSize }: SentChunk): FileMark {
  return { kind: 'chunked', id: newId(), ...facts, size: fileSize, chunkCount: count, blob: null }
}
