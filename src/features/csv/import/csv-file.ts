import { realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, sep } from 'node:path'
import { type CsvLimits, type CsvLine, everyCsvLine, plainCell } from '../../../base/csv/csv-records.ts'
import { inspectBlob } from '../../../core/blobs/inspect-blob.ts'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import { storeFile } from '../../../core/blobs/store-file.ts'
import type { Repository } from '../../../core/session.ts'
import type { Model } from '../../../model/model.ts'
import type { BlobValue } from '../../../model/properties/property.ts'
import type { CsvDocument } from './import-row.ts'
import { RowRefusal } from './row-refusal.ts'

// A line is one document, which is never larger than a request may be.
const limits: CsvLimits = { maxCells: 2_000, maxLength: 5_000_000 }

/** The records of a stored file, in UTF-8. @throws csvRecordTooLong, blobMissing */
export async function* everyLineOf({ blobs }: Repository, file: BlobValue): AsyncGenerator<CsvLine> {
  const stream = await openBlob(blobs, { blob: file })
  try {
    stream.setEncoding('utf8')
    yield* everyCsvLine(stream, limits)
  } finally {
    stream.destroy()
  }
}

/** Which column is what. */
export type CsvHeader = readonly string[]

const ownColumns = new Set(['name', 'type'])

/** A line without anything in it is undefined. @throws RowRefusal when it cannot be read as one of a document */
export async function readRow(
  { cells }: CsvLine,
  header: CsvHeader,
  { repository, model, folder }: { readonly repository: Repository; readonly model: Model; readonly folder: string | undefined },
): Promise<CsvDocument | undefined> {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  if (cells.length > header.length) {
    throw new RowRefusal(
      'errorImportingLine',
      `The line has ${cells.length} cells where the header names ${header.length} columns.`,
    )
  }
  const of = (column: string) => plainCell((cells[header.indexOf(column)] ?? '').trim())
  const name = of('name')
  if (name === '') throw new RowRefusal('missingNameValue', 'The line has no name.')
  const values = new Map<string, string>()
  const blobs = new Map<string, BlobValue>()
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell.trim() === '' || ownColumns.has(column) || column.startsWith('ecm:')) continue
    values.set(column, cell)
    if (model.findProperty(column)?.field.type.kind === 'blob')
      blobs.set(column, await stageFile(repository, folder, cell.trim()))
  }
  return { name, type: of('type'), state: of('ecm:lifeCycleState'), uuid: of('ecm:uuid'), cells: values, blobs }
}

/** A file below the folder of the server; links do not lead out of it. @throws RowRefusal */
async function stageFile(repository: Repository, folder: string | undefined, path: string): Promise<BlobValue> {
  const missing = (cause?: unknown) =>
    new RowRefusal('notExistingFile', `There is no file ${path.slice(0, 200)}.`, [path], { cause })
  if (folder === undefined || path.includes('\0')) throw missing()
  try {
    const root = await realpath(folder)
    const place = await realpath(join(root, path))
    const way = relative(root, place)
    if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || !(await stat(place)).isFile())
      throw missing()
    const stored = await storeFile(repository.blobs, place)
    return await inspectBlob(repository, { ...stored, name: basename(place), 'mime-type': null, encoding: null })
  } catch (error) {
    if (error instanceof RowRefusal) throw error
    if (error instanceof Error && 'syscall' in error) throw missing(error)
    throw error
  }
}
