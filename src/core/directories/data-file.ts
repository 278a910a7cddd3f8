import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Json, parseJson } from '../../base/json.ts'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { CsvRow } from './csv.ts'

/** One entry of a data file, by the fields of the directory. Of CSV all values are text, whatever the fields are. */
export type DataRow = { readonly [field: string]: Json }

/** Where the first entries of a directory come from: a CSV or JSON file, or a function that makes its rows for this deployment. */
export type DataFile = URL | ((vendored: VendorIdentifiers) => Promise<readonly DataRow[]>)

export const unreadableDataFile = defineProblem(
  'unreadableDataFile',
  'invalid',
  (file: { name: string; reason: string }) => `The data file ${file.name} cannot be read. ${file.reason}`,
)

/** What is wrong with what a definition names, before anything is read: the file may be needed by no start but the first. */
export function findDataFileMistake(dataFile: DataFile): string | undefined {
  if (typeof dataFile === 'function') return undefined
  if (!(dataFile instanceof URL) || dataFile.protocol !== 'file:')
    return `has the dataFile ${String(dataFile)}, which is no address of a file: say new URL('./entries.csv', import.meta.url)`
  if (!/\.(csv|json)$/i.test(dataFile.pathname)) return `has the dataFile ${nameOf(dataFile)}, which is neither .csv nor .json`
  return existsSync(dataFile) ? undefined : `has the dataFile ${fileURLToPath(dataFile)}, which does not exist`
}

/** As its author knows it. */
export function nameOf(dataFile: DataFile | undefined): string {
  return dataFile instanceof URL ? basename(fileURLToPath(dataFile)) : 'dataFile()'
}

/** The rows that fill a directory. @throws unreadableDataFile; what the function throws */
export async function readDataRows(dataFile: DataFile, vendored: VendorIdentifiers): Promise<readonly DataRow[]> {
  if (!(dataFile instanceof URL)) return requireRows(await dataFile(vendored))
  return extname(dataFile.pathname).toLowerCase() === '.json' ? readAs(dataFile, parseRows) : readCsvFile(dataFile)
}

/** @throws unreadableDataFile */
export async function readCsvFile(file: URL): Promise<readonly CsvRow[]> {
  // Few starts read any: that there is a reader is no reason to load one.
  const { parseCsv } = await import('./csv.ts')
  return readAs(file, parseCsv)
}

/** @throws unreadableDataFile */
export function readJsonFile(file: URL): Promise<Json> {
  return readAs(file, parseJson)
}

async function readAs<Rows>(file: URL, parse: (text: string) => Rows): Promise<Rows> {
  try {
    return parse(utf8.decode(await readFile(file)))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw unreadableDataFile({ name: nameOf(file), reason }, { cause: error })
  }
}

function parseRows(text: string): readonly DataRow[] {
  return requireRows(parseJson(text))
}

function requireRows(rows: unknown): readonly DataRow[] {
  if (!Array.isArray(rows)) throw new TypeError('It must hold a list of objects, one for each entry.')
  const wrong = rows.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row))
  if (wrong >= 0) throw new TypeError(`Number ${wrong + 1} of its list is no object.`)
  return rows as readonly DataRow[]
}

// Fatal: a file in another encoding is refused by name instead of filling a vocabulary with replacement characters.
const utf8 = new TextDecoder('utf-8', { fatal: true })
