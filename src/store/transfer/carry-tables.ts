import type { SqlRow } from '../sql/connection.ts'
import {
  type CarriedColumn,
  type CarriedTable,
  type CarriedTarget,
  canonicalRows,
  carriedPages,
  digestRows,
  isCarried,
  type RowSource,
  tableNotCarried,
} from './carried-database.ts'
import { mergeRows } from './row-merge.ts'

export interface CarriedRepository {
  readonly source: RowSource
  readonly target: CarriedTarget
  /** Tables that are meant to stay behind. */
  readonly leftOut?: ReadonlySet<string>
  /** So many rows more have been looked at. */
  onRows?(count: number): void
  /** Work ends before the next rows. @throws */
  checkStop?(): void
}

/** A table that was found to be the same on both sides, or made so. */
export interface CarriedFacts {
  readonly table: string
  readonly rows: number
  /** SHA-256 over all rows in order; absent where rows had to be brought, which the next round looks at. */
  readonly digest?: string
  readonly added: number
  readonly removed: number
}

/**
 * Makes the target what the source is, table by table, and tells what it found. It begins nowhere in particular: what is there already
 * is compared and left, so that the same call goes on after one that was killed, brings over what changed since, and, where nothing
 * did, has shown that both are the same.
 */
export async function* carryTables(repository: CarriedRepository): AsyncGenerator<CarriedFacts> {
  for (const pair of await pairTables(repository)) yield await carryTable(repository, pair)
}

/** So many rows there are to look at. */
export async function countAll({ source, leftOut = new Set() }: Pick<CarriedRepository, 'source' | 'leftOut'>): Promise<number> {
  let rows = 0
  for (const table of await source.listTables())
    if (isCarried(table) && !leftOut.has(table.name)) rows += await source.count(table)
  return rows
}

interface TablePair {
  readonly from: CarriedTable
  readonly to: CarriedTable
}

/** The tables of the source with those of the target, whose columns are put into the same order. @throws tableNotCarried */
async function pairTables({ source, target, leftOut = new Set() }: CarriedRepository): Promise<readonly TablePair[]> {
  const there = new Map((await target.listTables()).map((table) => [table.name, table]))
  const carried = (await source.listTables()).filter((table) => isCarried(table) && !leftOut.has(table.name))
  return carried.map((table) => {
    const found = there.get(table.name)
    if (found === undefined) throw tableNotCarried({ table: table.name, reason: absent(table.name) })
    return pairOf(table, found)
  })
}

const absent = (table: string) =>
  `the target has none of that name. If it belongs to a plugin that quire.config.ts does not list, list it, or leave the table behind with --leave-out ${table}`

function pairOf(table: CarriedTable, found: CarriedTable): TablePair {
  const { name } = table
  const others = new Map(found.columns.map((column) => [column.name, column]))
  const missing = table.columns.find((column) => !others.has(column.name))
  if (missing !== undefined || others.size !== table.columns.length)
    throw tableNotCarried({ table: name, reason: 'its columns in the target are not those in the source' })
  const joined = (own: CarriedColumn, other: CarriedColumn | undefined): CarriedColumn => ({
    ...own,
    kind: other?.kind === 'json' || own.kind === 'json' ? 'json' : own.kind,
  })
  const columns = table.columns.map((column) => joined(column, others.get(column.name)))
  if (!table.hasPrimaryKey && columns.some(({ kind }) => kind === 'json'))
    throw tableNotCarried({ table: name, reason: 'it has JSON and no primary key. Give it one in a step of its plugin' })
  const key = table.hasPrimaryKey ? table.key : columns.map((column) => column.name)
  const own = table.columns.map((column) => joined(others.get(column.name) as CarriedColumn, column))
  return { from: { ...table, columns, key }, to: { ...found, columns: own, key } }
}

async function carryTable(repository: CarriedRepository, pair: TablePair): Promise<CarriedFacts> {
  const { source, target } = repository
  const { from, to } = pair
  const isEmpty = (await target.count(to)) === 0 && (await source.count(from)) > 0
  const found = isEmpty ? nothingThere : await compareTable(repository, pair)
  const added = found.isSame ? 0 : await addMissing(repository, pair)
  if (from.isNumbered) await target.continueFrom(to, await source.lastNumber(from))
  const facts = { table: from.name, rows: found.kept + added, added, removed: found.removed }
  return found.isSame ? { ...facts, digest: found.digest } : facts
}

interface Compared {
  /** Of the rows that both have alike. */
  readonly digest: string
  readonly kept: number
  readonly removed: number
  readonly isSame: boolean
}

const nothingThere: Compared = { digest: '', kept: 0, removed: 0, isSame: false }

/**
 * Takes away what the source has not, or has otherwise. All of that comes first: what is added afterwards may have the name or the path of
 * a row that has another one now.
 */
async function compareTable(repository: CarriedRepository, { from, to }: TablePair): Promise<Compared> {
  const { source, target } = repository
  const canonical = canonicalRows(from.columns, source.engine === target.engine)
  const digest = digestRows()
  const stale = batchOf(repository, (keys) => target.remove(to, keys))
  const key = keyPlaces(from)
  let [kept, missing] = [0, 0]
  for await (const found of mergeRows(carriedPages(source, from), carriedPages(target, to), key)) {
    repository.onRows?.(1)
    if (found.kind === 'missing') {
      missing += 1
      continue
    }
    const theirs = canonical(found.target)
    if (found.kind === 'both' && theirs === canonical(found.source)) {
      kept += 1
      digest.add(theirs)
    } else await stale.add(key.map((at) => found.target[at] ?? null))
  }
  await stale.end()
  return { digest: digest.finish(), kept, removed: stale.count(), isSame: missing === 0 && stale.count() === 0 }
}

async function addMissing(repository: CarriedRepository, { from, to }: TablePair): Promise<number> {
  const { source, target } = repository
  const fresh = batchOf(repository, (rows) => target.insert(to, rows))
  for await (const found of mergeRows(carriedPages(source, from), carriedPages(target, to), keyPlaces(from))) {
    if (found.kind !== 'missing') continue
    await fresh.add(found.source)
    repository.onRows?.(1)
  }
  await fresh.end()
  return fresh.count()
}

function keyPlaces({ key, columns }: CarriedTable): readonly number[] {
  return key.map((name) => columns.findIndex((column) => column.name === name))
}

const rowsAtOnce = 1_000
const bytesAtOnce = 4_000_000

/** Gathers rows, and hands over as many as are written at once. */
function batchOf({ checkStop }: CarriedRepository, write: (rows: readonly SqlRow[]) => Promise<void>) {
  let [rows, bytes, count]: [SqlRow[], number, number] = [[], 0, 0]
  const flush = async () => {
    checkStop?.()
    if (rows.length > 0) await write(rows)
    ;[rows, bytes] = [[], 0]
  }
  return {
    async add(row: SqlRow) {
      rows.push(row)
      count += 1
      bytes += row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 8), 0)
      if (rows.length >= rowsAtOnce || bytes >= bytesAtOnce) await flush()
    },
    end: flush,
    count: () => count,
  }
}
