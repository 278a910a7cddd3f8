import { renderOperationsPage } from '../../src/cli/operations-page.ts'
import type { readOperations } from '../../src/server.ts'
import { type ContractRow, namesIn, readContractRows } from './contract-tables.ts'

type Described = ReturnType<typeof readOperations>

interface MissingOperations {
  /** Of the contract: `2.17 Optional packages of the original`. */
  readonly section: string
  readonly ids: readonly string[]
}

/** What the catalogue of the contract has and the server has not, by section and in its order; aliases among it. */
export function listMissing({ operations: { operations, chains } }: Described): readonly MissingOperations[] {
  const built = new Set([...operations.flatMap(({ id, aliases }) => [id, ...aliases]), ...chains.map(({ id }) => id)])
  const missing = new Map<string, Set<string>>()
  for (const { section, title, cells } of readContractRows('operations', '2.')) {
    const absent = idsIn(cells).filter((id) => !built.has(id))
    const name = `${section} ${title.replace(/ \(planned\)$/, '')}`
    if (absent.length > 0) missing.set(name, new Set([...(missing.get(name) ?? []), ...absent]))
  }
  return [...missing].map(([section, ids]) => ({ section, ids: [...ids] }))
}

/** What the catalogue itself says is not built. */
export function listPlanned(): readonly string[] {
  return readContractRows('operations', '2.').flatMap(({ title, cells }) =>
    `${title} ${cells['id']}`.includes('(planned)') ? idsIn(cells) : [],
  )
}

/** In the tables of packages parameters stand behind an id in parentheses. */
function idsIn(cells: ContractRow['cells']): readonly string[] {
  return [...namesIn(cells['id']?.replace(/\([^)]*\)/g, '')), ...namesIn(cells['aliases'])]
}

const sentParameter = /`([^`]+)`(\*?):([\w-]+)(?:=([^,{]*))?/g

/**
 * Where operations take or are called something else than the catalogue of the contract says: `Log: level*:string`. A default of ours
 * where the catalogue has none is no difference.
 */
export function listDifferences({ operations: { operations } }: Described): readonly string[] {
  const built = new Map(operations.map((operation) => [operation.id, operation]))
  return readContractRows('operations', '2.').flatMap(({ cells }) => {
    const operation = built.get(namesIn(cells['id'])[0] ?? '')
    if (operation === undefined || cells['params'] === undefined || cells['category'] === undefined) return []
    const wanted = [...cells['params'].matchAll(sentParameter)]
    const defaulted = new Set(wanted.flatMap(([, name, , , value]) => (value === undefined ? [] : [name])))
    const declared = Object.entries(operation.params).map(([name, { isRequired, word, default: value }]) => {
      const isTold = value !== undefined && defaulted.has(name)
      return `${name}${isRequired ? '*' : ''}:${word}${isTold ? `=${value}` : ''}`
    })
    const ours = new Set([operation.category, ...operation.aliases, ...declared])
    const theirs = new Set([
      cells['category'],
      ...namesIn(cells['aliases']),
      ...wanted.map(([, name, star, word, value]) => `${name}${star}:${word}${value === undefined ? '' : `=${value.trim()}`}`),
    ])
    return [...ours.symmetricDifference(theirs)].map((what) => `${operation.id}: ${what}`)
  })
}

/** The page with what is listed as not built yet. */
export function renderWholePage(described: Described): string {
  const rows = listMissing(described).map(({ section, ids }) => `| ${section} | ${ids.map((id) => `\`${id}\``).join(', ')} |`)
  return `${renderOperationsPage(described).trimEnd()}

## Not built

What [the catalogue of the contract](contract/operations.md) has and this server has not; a test compares the two.

| section | operations |
|---|---|
${rows.join('\n')}
`
}
