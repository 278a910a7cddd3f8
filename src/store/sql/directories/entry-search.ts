import { yieldToEventLoop } from '../../../base/event-loop.ts'
import type { PropertyValue } from '../../../model/properties/property.ts'
import type { DirectoryEntry, EntryOrder, EntrySearch, FoundEntries } from '../../directories.ts'
import { parseStoredJson } from '../../storable-text.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import * as searches from './directory-search-statements.ts'
import * as statements from './directory-statements.ts'

export interface DirectoryTables {
  readonly connection: SqlConnection
  /** For what may have to go through many entries. */
  readonly searching: SqlConnection
  readonly dialect: Dialect
}

export async function searchEntries(tables: DirectoryTables, search: EntrySearch): Promise<FoundEntries> {
  if (search.countLimit !== undefined) {
    const total = await countOf(tables, search)
    return { entries: total > search.countLimit ? [] : await pageOf(tables, search), total }
  }
  const entries = await pageOf(tables, search)
  const isAll = search.offset === 0 && entries.length < search.limit
  return { entries, total: isAll ? entries.length : await countOf(tables, search) }
}

async function countOf(tables: DirectoryTables, search: EntrySearch): Promise<number> {
  const { searching, dialect } = tables
  if (search.countLimit === undefined && isWhole(search)) return countAll(tables, search.directory)
  return Number((await searching.get(searches.entryCount(dialect, search)))?.[0])
}

/** All entries of a directory, whatever is in them. */
function isWhole(search: EntrySearch): boolean {
  return search.matching === undefined && searches.isNothingElseAsked(search)
}

/**
 * So many keys of an index are gone through at once, which takes SQLite 2 ms. To ask for the time at each of them takes four times as long
 * as to count it, and to hand the statement to a search process longer than all of it.
 */
const keysAtOnce = 20_000

async function countAll({ searching }: DirectoryTables, directory: string): Promise<number> {
  let after: string | undefined
  for (let total = 0; ; total += keysAtOnce) {
    const [last] = (await searching.get(searches.entryBehind(directory, after, keysAtOnce))) ?? []
    if (last === undefined) return total + Number((await searching.get(searches.entriesBehind(directory, after)))?.[0])
    after = last as string
    await yieldToEventLoop()
  }
}

/** What a pattern finds is put in order; of all entries the page is taken from an index that has them in order, where there is one. */
async function pageOf(tables: DirectoryTables, search: EntrySearch): Promise<readonly DirectoryEntry[]> {
  const { connection, searching, dialect } = tables
  const [first, ...others] = search.order
  const isOrdered = first !== undefined && search.matching === undefined && search.terms === undefined
  if (!isOrdered || !(await isIndexed(connection, search.directory, first.field)))
    return entriesIn(await searching.all(searches.foundEntries(dialect, search)))
  if (isWhole(search) && search.limit <= keysAtOnce) return pageOfWhole(tables, search, first, others)
  return entriesIn(await searching.all(searches.entriesByTerm(dialect, search, first, others)))
}

async function isIndexed(connection: SqlConnection, directory: string, field: string): Promise<boolean> {
  const row = await connection.get(statements.indexedFields(directory))
  return row !== undefined && (JSON.parse(row[0] as string) as readonly string[]).includes(field)
}

/** Only the keys of the index lead to the page: entries before it are not read, and of those on it no more than have the same terms. */
async function pageOfWhole(
  tables: DirectoryTables,
  search: EntrySearch,
  first: EntryOrder,
  others: readonly EntryOrder[],
): Promise<readonly DirectoryEntry[]> {
  const { searching, dialect } = tables
  const keys = await keysOn(tables, search, first)
  const [start, end] = [keys[0], keys.at(-1)]
  if (start === undefined || end === undefined) return []
  if (others.length > 0) {
    const [before] = (await searching.get(searches.keysOfTermBefore(search.directory, first, start))) ?? []
    const among = { first: start.term, last: end.term }
    return entriesIn(
      await searching.all(searches.entriesByTerm(dialect, { ...search, offset: Number(before) }, first, others, among)),
    )
  }
  const ids = keys.map(({ id }) => id)
  const entries = entriesIn(await searching.all(statements.entriesById(dialect, search.directory, ids)))
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function keysOn(
  { searching }: DirectoryTables,
  search: EntrySearch,
  order: EntryOrder,
): Promise<readonly searches.TermKey[]> {
  const { directory, limit } = search
  let { offset } = search
  let after: searches.TermKey | undefined
  for (; offset > keysAtOnce; offset -= keysAtOnce) {
    const [last] = keysIn(await searching.all(searches.termKeys(directory, order, { after, offset: keysAtOnce - 1, limit: 1 })))
    if (last === undefined) return []
    after = last
    await yieldToEventLoop()
  }
  return keysIn(await searching.all(searches.termKeys(directory, order, { after, offset, limit })))
}

function keysIn(rows: readonly SqlRow[]): readonly searches.TermKey[] {
  return rows.map(([term, id]) => ({ term: term as string, id: id as string }))
}

function entriesIn(rows: readonly SqlRow[]): readonly DirectoryEntry[] {
  return rows.map(entryOf)
}

export function entryOf([id, entry]: SqlRow): DirectoryEntry {
  return { id: id as string, values: parseStoredJson(entry as string) as { readonly [field: string]: PropertyValue } }
}
