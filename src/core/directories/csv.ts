import { defineProblem } from '../../base/problem.ts'

/** One line of a CSV text by the column names of its header. */
export type CsvRow = { readonly [column: string]: string }

export const malformedCsv = defineProblem(
  'malformedCsv',
  'invalid',
  (found: { line: number; reason: string }) => `Line ${found.line} of the CSV text ${found.reason}.`,
)

interface CsvRecord {
  readonly line: number
  readonly values: readonly string[]
}

/**
 * Reads comma-separated values whose first line names the columns. Line ends may be CRLF or LF, a byte order mark and
 * blank lines are passed over, and every line must have as many values as the header.
 */
export function parseCsv(text: string): readonly CsvRow[] {
  const [header, ...lines] = everyRecord(text.startsWith('\uFEFF') ? text.slice(1) : text)
  if (header === undefined) return []
  requireDistinct(header)
  return lines.map((record) => rowOf(header.values, record))
}

function* everyRecord(text: string): Generator<CsvRecord> {
  let line = 1
  for (let position = 0; position < text.length; ) {
    const start = position
    const values: string[] = []
    let value: CsvValue | undefined
    do {
      value = valueAt(text, position)
      if (value === undefined) throw malformedCsv({ line: line + lineEndsIn(text, start, position), reason: misquoted })
      values.push(value.content)
      position = value.next
    } while (value.end === ',')
    if (!isBlankLine(text.slice(start, position))) yield { line, values }
    line += lineEndsIn(text, start, position)
  }
}

interface CsvValue {
  readonly content: string
  readonly end: string
  /** Where the next value begins. */
  readonly next: number
}

const misquoted = 'has a quote that is not closed, or a quote or carriage return inside a value that is not in quotes'
const bareValue = /[^",\r\n]*/y
const valueEnd = /,|\r?\n|$/y

/** The value that begins at a position, as RFC 4180 writes it; undefined when no comma, line end or end of text follows it. */
function valueAt(text: string, position: number): CsvValue | undefined {
  const source = text[position] === '"' ? quotedAt(text, position) : matchAt(bareValue, text, position)
  const end = source === undefined ? undefined : matchAt(valueEnd, text, position + source.length)
  if (source === undefined || end === undefined) return undefined
  return { content: unquoted(source), end, next: position + source.length + end.length }
}

function quotedAt(text: string, position: number): string | undefined {
  let closing = text.indexOf('"', position + 1)
  while (closing >= 0 && text[closing + 1] === '"') closing = text.indexOf('"', closing + 2)
  return closing < 0 ? undefined : text.slice(position, closing + 1)
}

function matchAt(sticky: RegExp, text: string, position: number): string | undefined {
  sticky.lastIndex = position
  return sticky.exec(text)?.[0]
}

function unquoted(source: string): string {
  return source.startsWith('"') ? source.slice(1, -1).replaceAll('""', '"') : source
}

function isBlankLine(record: string): boolean {
  return record === '\n' || record === '\r\n'
}

function lineEndsIn(text: string, start: number, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

function requireDistinct({ line, values }: CsvRecord): void {
  const repeated = values.find((column, index) => values.indexOf(column) !== index)
  if (repeated !== undefined) throw malformedCsv({ line, reason: `names the column ${repeated} twice` })
}

function rowOf(columns: readonly string[], { line, values }: CsvRecord): CsvRow {
  if (values.length !== columns.length) {
    throw malformedCsv({ line, reason: `has ${values.length} values where the header names ${columns.length} columns` })
  }
  return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? '']))
}
