// One long text must not make every row as long: a description may have a million characters.
const widestColumn = 60

/** Rows under their titles, each column as wide as its widest cell. What would move a terminal's cursor is shown as a blank. */
export function table(titles: readonly string[], cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, ' ')))
  const widths = titles.map((title, column) =>
    rows.reduce((widest, row) => Math.max(widest, Math.min(widestColumn, row[column]?.length ?? 0)), title.length),
  )
  return [titles, ...rows].map((row) => line(row, widths)).join('\n')
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = widths.map((width, column) => (row[column] ?? '').padEnd(width))
  return cells.join('  ').trimEnd()
}
