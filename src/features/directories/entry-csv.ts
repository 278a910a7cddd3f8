import { type CsvLine, everyCsvLine, formatCsvLine, harmlessCell, plainCell } from '../../base/csv/csv-records.ts'
import type { Json } from '../../base/json.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { shortened } from '../../base/shortened.ts'
import { defaultsOf } from '../../core/directories/create-entry.ts'
import type { DirectoryDefinition } from '../../core/directories/directory-definition.ts'
import { type EntryChange, prepareEntryChange } from '../../core/directories/entry-change.ts'
import { requireNewEntryId } from '../../core/directories/entry-id.ts'
import type { Field } from '../../model/field.ts'
import type { PropertyValue } from '../../model/properties/property.ts'
import type { Services } from '../../rest/services.ts'
import type { DirectoryEntry } from '../../store/directories.ts'
import { shownFields } from './shown-fields.ts'

export const wrongCsvEntry = defineProblem(
  'wrongCsvEntry',
  'invalid',
  (of: { line: number; reason: string }) => `Record ${of.line} of the CSV text ${of.reason}`,
)

export const notUtf8 = defineProblem(
  'notUtf8',
  'invalid',
  (_: object) => 'The CSV text is not in UTF-8. Save it so, and send it again.',
)

/** More than any vocabulary that people choose from; a transaction stores them all. */
export const mostCsvEntries = 20_000

const limits = { maxCells: 100, maxLength: 100_000 }

type CsvServices = Pick<Services, 'directories' | 'facts'>

/** A line of columns and one for each entry; items of a list between `|`, as in data files. */
export function formatEntries(
  services: CsvServices,
  definition: DirectoryDefinition,
  entries: readonly DirectoryEntry[],
): string {
  const columns = columnsOf(services, definition)
  const header = formatCsvLine([...columns.keys()])
  const cellsOf = ({ values }: DirectoryEntry) =>
    [...columns.values()].map(({ name, type }) => {
      const value = values[name] ?? null
      const text = Array.isArray(value) ? value.map(textOf).join('|') : textOf(value)
      // What is no text cannot be a formula, also where it begins with a sign.
      return type.kind === 'string' || type.kind === 'list' ? harmlessCell(text) : text
    })
  return header + entries.map((entry) => formatCsvLine(cellsOf(entry))).join('')
}

const textOf = (value: PropertyValue) => (value === null ? '' : String(value))

/** What fits into a cell. */
function columnsOf(services: CsvServices, definition: DirectoryDefinition): ReadonlyMap<string, Field> {
  return new Map([...shownFields(services, definition)].filter(([, { type }]) => type.kind !== 'complex'))
}

/**
 * The values of each entry of a text, by fields, its id always among them: an empty cell is the field's default. Lines without anything
 * are passed over.
 * @throws wrongCsvEntry, notUtf8, csvRecordTooLong
 */
export async function parseEntries(
  services: CsvServices,
  definition: DirectoryDefinition,
  bytes: AsyncIterable<Uint8Array>,
): Promise<readonly EntryChange['values'][]> {
  const defaults = defaultsOf(services.directories, definition)
  const changes: EntryChange['values'][] = []
  const lines = new Map<string, number>()
  let header: readonly Field[] | undefined
  for await (const record of everyCsvLine(decoded(bytes), limits)) {
    const { line, cells } = record
    if (cells.every((cell) => cell.trim() === '')) continue
    if (header === undefined) {
      header = readHeader(columnsOf(services, definition), definition, record)
      continue
    }
    if (cells.length > header.length)
      throw wrongCsvEntry({ line, reason: `has ${cells.length} cells where the header names ${header.length} columns.` })
    if (changes.length === mostCsvEntries)
      throw wrongCsvEntry({ line, reason: `is one too many: send at most ${mostCsvEntries} entries at once.` })
    const values = await readValues(services, definition, header, record, defaults)
    const id = String(values[definition.idField])
    const earlier = lines.get(id)
    if (earlier !== undefined)
      throw wrongCsvEntry({ line, reason: `has the id ${shortened(id, 100)}, as record ${earlier} has. Leave one of them out.` })
    lines.set(id, line)
    changes.push(values)
  }
  if (header === undefined)
    throw wrongCsvEntry({ line: 1, reason: `is missing: begin with the names of the columns, ${definition.idField} among them.` })
  return changes
}

/** A file in another encoding is refused instead of filling a vocabulary with replacement characters. */
async function* decoded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (...of: Parameters<TextDecoder['decode']>) => {
    try {
      return utf8.decode(...of)
    } catch (error) {
      throw notUtf8({}, { cause: error })
    }
  }
  for await (const piece of bytes) yield decode(piece, { stream: true })
  yield decode()
}

/** Which field each column is. */
function readHeader(
  columns: ReadonlyMap<string, Field>,
  { idField }: DirectoryDefinition,
  { line, cells }: CsvLine,
): readonly Field[] {
  const known = [...columns.keys()].join(', ')
  const header = cells.map((cell) => {
    const field = columns.get(cell.trim())
    if (field === undefined)
      throw wrongCsvEntry({ line, reason: `names the column ${shortened(cell.trim(), 100)}, which is none of ${known}.` })
    return field
  })
  const twice = header.find((field, index) => header.indexOf(field) !== index)
  if (twice !== undefined) throw wrongCsvEntry({ line, reason: `names the column ${twice.name} twice.` })
  if (!header.some(({ name }) => name === idField))
    throw wrongCsvEntry({ line, reason: `names no column ${idField}, by which entries are known.` })
  return header
}

async function readValues(
  services: CsvServices,
  definition: DirectoryDefinition,
  header: readonly Field[],
  { line, cells }: CsvLine,
  defaults: EntryChange['values'],
): Promise<EntryChange['values']> {
  const emptied: { [field: string]: PropertyValue } = {}
  const sent: { [field: string]: Json } = {}
  for (const [index, field] of header.entries()) {
    const cell = plainCell(cells[index] ?? '')
    if (cell === '') emptied[field.name] = defaults[field.name] ?? null
    else sent[field.name] = field.type.kind === 'list' ? cell.split('|') : cell
  }
  try {
    const { values } = await prepareEntryChange(services.directories, definition, sent)
    requireNewEntryId(definition.name, values[definition.idField])
    return { ...emptied, ...values }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw wrongCsvEntry({ line, reason: `cannot be an entry. ${error.message}` }, { cause: error })
  }
}
