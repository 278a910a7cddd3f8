import { defineProblem } from '../../base/problem.ts'
import type { TransientReader } from '../../store/transient.ts'
import { allUploads, parseFileKey, tallyKey } from './upload-keys.ts'
import type { ChunkMark, FileMark } from './upload-state.ts'
import type { UploadRules } from './uploads.ts'

export const batchTooLarge = defineProblem(
  'batchTooLarge',
  'tooLarge',
  (of: { maxBytes: number }) =>
    `An upload batch may hold ${of.maxBytes} bytes at most. Use or remove files of this one, or begin another.`,
)

export const tooManyFiles = defineProblem(
  'tooManyFiles',
  'tooLarge',
  (of: { maxFiles: number }) => `An upload batch may hold ${of.maxFiles} files at most. Begin another.`,
)

export const tooManyChunks = defineProblem(
  'tooManyChunks',
  'tooLarge',
  (of: { maxChunks: number }) => `A file may be uploaded in ${of.maxChunks} chunks at most. Send larger ones.`,
)

export const uploadsFull = defineProblem(
  'uploadsFull',
  'noSpace',
  (of: { maxBytes: number }) => `All upload batches together may hold ${of.maxBytes} bytes at most. Try again later.`,
)

/** What a batch may still take. @throws batchTooLarge, uploadsFull when that is less than so many bytes. */
export async function requireQuota(
  transient: TransientReader,
  rules: UploadRules,
  batchId: string,
  bytes: number,
  now: string,
): Promise<number> {
  const used = await transient.find(tallyKey(batchId, 'bytes'), now)
  const left = rules.batchMaxBytes - Number(used ?? 0)
  if (bytes > left || left <= 0) throw batchTooLarge({ maxBytes: rules.batchMaxBytes })
  const { totalMaxBytes } = rules
  if (totalMaxBytes !== undefined && bytes > totalMaxBytes - (await countAll(transient, now)))
    throw uploadsFull({ maxBytes: totalMaxBytes })
  return left
}

/** Over all rows: this is counted only where a deployment has set a limit to it. */
async function countAll(transient: TransientReader, now: string): Promise<number> {
  let bytes = 0
  for (const { key, value } of await transient.list(allUploads, now)) {
    const parsed = parseFileKey(key)
    if (parsed === undefined) continue
    const blob = parsed.chunk === undefined ? (value as FileMark).blob : (value as ChunkMark)
    bytes += blob?.length ?? 0
  }
  return bytes
}
