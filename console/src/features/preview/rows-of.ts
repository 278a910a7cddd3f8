/** The rows of a table in text. Quotes may hold separators, lines and, doubled, themselves. */
export function rowsOf(text: string, most: number): readonly (readonly string[])[] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let index = 0; index < text.length && rows.length < most; index += 1) {
    const character = text.charAt(index)
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[index + 1] === '"') {
        cell += '"'
        index += 1
      } else isQuoted = false
    } else if (character === '"' && cell === '') isQuoted = true
    else if (character === separator) endCell()
    else if (character === '\n') endRow()
    else if (character !== '\r') cell += character
  }
  if (rows.length < most && (cell !== '' || row.length > 0)) endRow()
  return rows
}

/** The one that the first line has most of. */
function separatorOf(text: string): string {
  const line = text.slice(0, text.indexOf('\n') === -1 ? undefined : text.indexOf('\n'))
  const counted = [',', ';', '\t'].map((separator) => ({ separator, count: line.split(separator).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator
}
