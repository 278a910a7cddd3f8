import { defineProblem } from '../problem.ts'

/** One record of a CSV text. */
export interface CsvLine {
  /** Counted by records, not by line ends within them: the header is 1. */
  readonly line: number
  readonly cells: readonly string[]
}

export interface CsvLimits {
  readonly maxCells: number
  /** Characters of all cells of a record. */
  readonly maxLength: number
}

export const csvRecordTooLong = defineProblem(
  'csvRecordTooLong',
  'invalid',
  (of: { line: number; reason: string }) =>
    `Record ${of.line} of the CSV text ${of.reason}. Perhaps a quote before it is not closed.`,
)

const escapes: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/**
 * The records of a text that comes in pieces, however long it is. Cells may be in quotes, in which a quote is doubled or has a backslash
 * before it. A line end inside of quotes belongs to the cell; CRLF, LF and CR end a record outside of them.
 * @throws csvRecordTooLong
 */
export async function* everyCsvLine(text: AsyncIterable<string>, limits: CsvLimits): AsyncGenerator<CsvLine> {
  const reader = new CsvReader(limits)
  let isFirst = true
  for await (const piece of text) {
    yield* reader.read(isFirst && piece.startsWith('\uFEFF') ? piece.slice(1) : piece)
    isFirst &&= piece === ''
  }
  yield* reader.end()
}

/** Where in a cell the reader is. `closed`: behind a quote, which another one would double. */
type State = 'start' | 'bare' | 'quoted' | 'closed'

class CsvReader {
  readonly #limits: CsvLimits
  #state: State = 'start'
  #isEscaped = false
  /** After CR: an LF that follows belongs to it. */
  #isAfterReturn = false
  #cells: string[] = []
  #cell = ''
  #length = 0
  #line = 1

  constructor(limits: CsvLimits) {
    this.#limits = limits
  }

  *read(text: string): Generator<CsvLine> {
    for (const letter of text) {
      const isRestOfEnd = this.#isAfterReturn && letter === '\n'
      this.#isAfterReturn = false
      if (isRestOfEnd) continue
      if (this.#take(letter)) yield this.#finish()
    }
  }

  *end(): Generator<CsvLine> {
    if (this.#isEscaped) this.#add('\\')
    this.#isEscaped = false
    if (this.#cells.length > 0 || this.#state !== 'start') yield this.#finish()
  }

  /** Whether a record ends here. */
  #take(letter: string): boolean {
    if (this.#isEscaped) {
      this.#isEscaped = false
      this.#add(escapes[letter] ?? (/[\\",]/.test(letter) ? letter : `\\${letter}`))
      return false
    }
    if (letter === '\\') {
      if (this.#state === 'start') this.#state = 'bare'
      this.#isEscaped = true
      return false
    }
    return this.#state === 'quoted' ? this.#takeQuoted(letter) : this.#takeBare(letter)
  }

  #takeQuoted(letter: string): boolean {
    if (letter === '"') this.#state = 'closed'
    else this.#add(letter)
    return false
  }

  #takeBare(letter: string): boolean {
    switch (letter) {
      case ',':
        this.#endCell()
        return false
      case '\r':
        this.#isAfterReturn = true
        return true
      case '\n':
        return true
      case '"':
        // Behind the end of quotes it was doubled; inside of a bare cell it is a letter like others.
        if (this.#state === 'bare') this.#add(letter)
        else {
          if (this.#state === 'closed') this.#add(letter)
          this.#state = 'quoted'
        }
        return false
      default:
        if (this.#state === 'start') this.#state = 'bare'
        this.#add(letter)
        return false
    }
  }

  #add(letter: string): void {
    this.#cell += letter
    this.#length += letter.length
    const { maxLength } = this.#limits
    if (this.#length > maxLength) throw csvRecordTooLong({ line: this.#line, reason: `has more than ${maxLength} characters` })
  }

  #endCell(): void {
    this.#cells.push(this.#cell)
    this.#cell = ''
    this.#state = 'start'
    const { maxCells } = this.#limits
    if (this.#cells.length >= maxCells) throw csvRecordTooLong({ line: this.#line, reason: `has more than ${maxCells} cells` })
  }

  #finish(): CsvLine {
    const cells = [...this.#cells, this.#cell]
    const line = this.#line++
    this.#cells = []
    this.#cell = ''
    this.#length = 0
    this.#state = 'start'
    return { line, cells }
  }
}

/** A record with its line end, as `everyCsvLine` reads it back. */
export function formatCsvLine(cells: readonly string[]): string {
  return `${cells.map(formatCell).join(',')}\r\n`
}

function formatCell(text: string): string {
  if (!/[",\\\r\n]|^\uFEFF|^\s|\s$/.test(text)) return text
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`
}

// Spreadsheets take a cell that begins so for a formula, and run it (OWASP, CSV injection).
const formulaStart = /^[=+\-@\t\r]/

/** A text that no spreadsheet takes for a formula: one that looks like it has an apostrophe before it. */
export function harmlessCell(text: string): string {
  return formulaStart.test(text) || /^'+[=+\-@\t\r]/.test(text) ? `'${text}` : text
}

/** The text that `harmlessCell` was handed. */
export function plainCell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}
