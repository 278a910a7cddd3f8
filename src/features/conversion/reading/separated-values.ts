/** Rows that are shown; who needs more has a program for it. */
export const maxRows = 10_000

/**
 * The rows of a file of separated values, as forgiving as people's files are: a quote that never ends reaches to the end. Reads no more
 * rows than are shown.
 */
export function separatedRows(text: string, separator = separatorOf(text)): readonly (readonly string[])[] {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < maxRows) {
    const cell = text[at] === '"' ? quotedCell(text, at) : bareCell(text, at, separator)
    row.push(cell.value)
    at = cell.end
    if (text[at] === separator) at += 1
    else {
      // Whatever follows the closing quote of a cell belongs to nothing.
      while (at < text.length && text[at] !== '\n' && text[at] !== '\r') at += 1
      at += text.startsWith('\r\n', at) ? 2 : 1
      rows.push(row)
      row = []
    }
  }
  if (row.length > 0) rows.push(row)
  return rows
}

interface Cell {
  readonly value: string
  readonly end: number
}

function quotedCell(text: string, start: number): Cell {
  let end = start + 1
  while (end < text.length) {
    if (text[end] !== '"') end += 1
    else if (text[end + 1] === '"') end += 2
    else break
  }
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 }
}

function bareCell(text: string, start: number, separator: string): Cell {
  let end = start
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { value: text.slice(start, end), end }
}

/** The sign that is most in the first line. */
function separatorOf(text: string): string {
  const line = text.slice(0, 10_000).split(/\r?\n/, 1)[0] ?? ''
  const count = (sign: string) => line.split(sign).length
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}
