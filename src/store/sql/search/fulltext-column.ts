import type { FulltextColumn } from './search-dialect.ts'

const columns: ReadonlyMap<string, FulltextColumn> = new Map([
  ['default', 'everything'],
  ['title', 'title'],
  ['description', 'description'],
])

/** Properties that have an index of their own. */
const properties: ReadonlyMap<string, FulltextColumn> = new Map([
  ['dc:title', 'title'],
  ['dc:description', 'description'],
])

/** The column that holds the words of a full-text index. */
export function columnOfIndex(index: string): FulltextColumn {
  const column = columns.get(index)
  if (column === undefined) throw new TypeError(`No table holds the full-text index ${index}.`)
  return column
}

export function findColumnOfProperty(name: string): FulltextColumn | undefined {
  return properties.get(name)
}
