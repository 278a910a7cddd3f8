import { type TypedName, typedName } from '../../base/typed-name.ts'
import type { BatchMark, ChunkMark, FileMark } from './upload-state.ts'

/**
 * Where the state of upload batches is among the transient values: a row for the batch, one for each of its files and one for each
 * chunk, so that uploads which run side by side, in whatever process, never write the same row.
 */
const uploads = typedName<number | BatchMark | FileMark | ChunkMark>('upload/')

/** Of the batch itself, and what all its rows begin with. */
export function batchKey(batchId: string): TypedName<BatchMark> {
  return typedName(`${uploads}${batchId}/`)
}

/** Of a number that is stored about the batch. */
export function tallyKey(batchId: string, of: 'bytes' | 'files'): string {
  return `${batchKey(batchId)}${of}`
}

/** What the rows of all files begin with, chunks included. */
export function filesPrefix(batchId: string): TypedName<FileMark | ChunkMark> {
  return typedName(`${batchKey(batchId)}file/`)
}

export function fileKey(batchId: string, index: number): TypedName<FileMark> {
  return typedName(`${filesPrefix(batchId)}${sortable(index)}`)
}

/** What the rows of a file's chunks begin with, and not its own. */
export function chunksPrefix(batchId: string, index: number): TypedName<ChunkMark> {
  return typedName(`${fileKey(batchId, index)}/`)
}

export function chunkKey(batchId: string, index: number, chunk: number): TypedName<ChunkMark> {
  return typedName(`${chunksPrefix(batchId, index)}${sortable(chunk)}`)
}

/** Of the lease of the process that assembles the file's chunks. Not among those of the batch, which live longer. */
export function assemblyKey(batchId: string, index: number): string {
  return `assembly/${batchId}/${sortable(index)}`
}

/** What the rows of all batches begin with. */
export const allUploads = uploads

/** The file that a row is about, and the chunk when it is about one; undefined when it is neither. */
export function parseFileKey(key: string): { readonly index: number; readonly chunk?: number } | undefined {
  const found = /^upload\/[^/]+\/file\/(\d+)(?:\/(\d+))?$/.exec(key)
  if (found === null) return undefined
  const [, index, chunk] = found
  return { index: Number(index), ...(chunk !== undefined && { chunk: Number(chunk) }) }
}

/** Digits of the largest number that JavaScript holds exactly, less one: keys are then in the order of the numbers. */
export const indexDigits = 15

function sortable(index: number): string {
  return String(index).padStart(indexDigits, '0')
}
