import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type CsvRow, parseCsv } from './csv.ts'

/** Where the first entries of a directory come from: a CSV file, or a function that makes its rows for this deployment. */
export type DataFile = URL | ((vendored: VendorIdentifiers) => Promise<readonly CsvRow[]>)

export const unreadableDataFile = defineProblem(
  'unreadableDataFile',
  'invalid',
  (file: { name: string; reason: string }) => `The data file ${file.name} cannot be read. ${file.reason}`,
)

/** The rows that fill a directory. All values are text: which of them are numbers is for the directory's schema to say. */
export function readDataRows(dataFile: DataFile, vendored: VendorIdentifiers): Promise<readonly CsvRow[]> {
  return dataFile instanceof URL ? readCsvFile(dataFile) : dataFile(vendored)
}

export async function readCsvFile(file: URL): Promise<readonly CsvRow[]> {
  try {
    return parseCsv(utf8.decode(await readFile(file)))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw unreadableDataFile({ name: basename(fileURLToPath(file)), reason }, { cause: error })
  }
}

// Fatal: a file in another encoding is refused by name instead of filling a vocabulary with replacement characters.
const utf8 = new TextDecoder('utf-8', { fatal: true })
