import type { TransientReader, TransientValue } from '../../store/transient.ts'
import { chunksPrefix, fileKey, filesPrefix, indexDigits, parseFileKey } from './upload-keys.ts'
import type { ChunkMark, FileMark } from './upload-state.ts'

/** A file of a batch as far as it has come. */
export interface UploadedFile {
  readonly index: number
  readonly mark: FileMark
  /** Those that are here, in order; empty for a file that is sent in one piece. */
  readonly chunkIds: readonly number[]
}

/** The number of a file or chunk; undefined for a text that is none. */
export function parseIndex(text: string): number | undefined {
  return /^\d+$/.test(text) && text.replace(/^0+/, '').length <= indexDigits ? Number(text) : undefined
}

export function isComplete({ mark, chunkIds }: UploadedFile): boolean {
  return mark.kind === 'normal' || mark.blob !== null || chunkIds.length === mark.chunkCount
}

/** By their numbers. */
export async function listFiles(transient: TransientReader, batchId: string, now: string): Promise<readonly UploadedFile[]> {
  return gather(await transient.list(filesPrefix(batchId), now))
}

/** In one statement: between two, the chunks may be put together and go. */
export async function findFile(
  transient: TransientReader,
  batchId: string,
  index: number,
  now: string,
): Promise<UploadedFile | undefined> {
  return gather(await transient.list(fileKey(batchId, index), now))[0]
}

/** In order. */
export async function listChunks(
  transient: TransientReader,
  batchId: string,
  index: number,
  now: string,
): Promise<readonly ChunkMark[]> {
  return (await transient.list(chunksPrefix(batchId, index), now)).map(({ value }) => value)
}

/** The row of a file comes right before those of its chunks. */
function gather(rows: readonly TransientValue<FileMark | ChunkMark>[]): readonly UploadedFile[] {
  const files: (UploadedFile & { readonly chunkIds: number[] })[] = []
  for (const { key, value } of rows) {
    const { index = -1, chunk } = parseFileKey(key) ?? {}
    if (chunk === undefined) {
      const mark = value as FileMark
      files.push({ index, mark, chunkIds: chunkIdsOf(mark) })
    } else if (files.at(-1)?.index === index) files.at(-1)?.chunkIds.push(chunk)
  }
  return files
}

/** Of a file that was put together; its chunks have no rows any more. */
function chunkIdsOf(mark: FileMark): number[] {
  return mark.kind === 'chunked' && mark.blob !== null ? Array.from({ length: mark.chunkCount }, (_, index) => index) : []
}
