import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A table of the contract, by the names in its head. */
export interface ContractRow {
  /** The number of its section: `2.9`. */
  readonly section: string
  readonly title: string
  readonly cells: { readonly [column: string]: string }
}

/** All rows of the tables in a file of the contract whose sections begin so. */
export function readContractRows(area: string, sections: string): readonly ContractRow[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/contract', `${area}.md`), 'utf8')
  const rows: ContractRow[] = []
  let [section, title, head] = ['', '', [] as readonly string[]]
  for (const line of text.split('\n')) {
    const heading = /^#+ ([\d.]*\d)\.? (.*)$/.exec(line)
    if (heading !== null) [section = '', title = ''] = heading.slice(1)
    if (!line.startsWith('|')) head = []
    else if (head.length === 0) head = cellsOf(line)
    else if (!/^\|[\s|:-]+$/.test(line) && section.startsWith(sections)) {
      const values = cellsOf(line)
      rows.push({ section, title, cells: Object.fromEntries(head.map((name, index) => [name, values[index] ?? ''])) })
    }
  }
  return rows
}

/** What stands in a cell as code. */
export function namesIn(cell = ''): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}
