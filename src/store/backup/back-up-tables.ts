import { databaseAbsent, databaseForeign } from '../problems.ts'
import type { SqlValue } from '../sql/connection.ts'
import { type CarriedTable, carriedPages, isCarried, type RowSource, tableNotCarried } from '../transfer/carried-database.ts'
import { tableFile } from './backup-folder.ts'
import type { BackedUpTable } from './backup-manifest.ts'
import { createLineFile } from './line-file.ts'

export interface TablesBackup {
  readonly source: RowSource
  readonly repository: string
  readonly folder: string
  /** So many rows more are written. */
  onRows(count: number): void
  /** @throws */
  checkStop(): void
}

/** Writes every table of a repository, a line of JSON for each row, in the order of its key. */
export async function backUpTables(backup: TablesBackup): Promise<readonly BackedUpTable[]> {
  const tables: BackedUpTable[] = []
  for (const table of await backup.source.listTables()) if (isCarried(table)) tables.push(await backUpTable(backup, table))
  return tables
}

async function backUpTable({ source, repository, folder, onRows, checkStop }: TablesBackup, table: CarriedTable) {
  const ordered = inOrder(table)
  const lines = createLineFile(tableFile(folder, repository, table.name))
  try {
    for await (const page of carriedPages(source, ordered)) {
      checkStop()
      for (const row of page) await lines.add(JSON.stringify(row))
      onRows(page.length)
    }
    const facts = await lines.end()
    return { ...ordered, ...facts, lastNumber: table.isNumbered ? await source.lastNumber(table) : 0 }
  } catch (error) {
    lines.drop()
    throw error
  }
}

/** By all columns where there is no key. */
function inOrder(table: CarriedTable): CarriedTable {
  return table.hasPrimaryKey ? table : { ...table, key: table.columns.map(({ name }) => name) }
}

/** The columns of all rows of a table that is read whole. @throws databaseAbsent */
export async function* everyRow(
  source: RowSource,
  name: string,
  columns: readonly string[],
): AsyncGenerator<readonly (SqlValue | undefined)[]> {
  const table = (await source.listTables([name])).find((one) => one.name === name)
  if (table === undefined) throw databaseAbsent({ place: source.place })
  const places = columns.map((wanted) => table.columns.findIndex((column) => column.name === wanted))
  for await (const page of source.pages(inOrder(table))) for (const row of page) yield places.map((at) => row[at])
}

const versions = 'schema_version'

/** The version that the tables of a repository have. @throws databaseAbsent, databaseForeign where there are only tables of others */
export async function readVersion(source: RowSource): Promise<number> {
  if (!(await hasVersions(source))) {
    if (await hasTables(source)) throw databaseForeign({ place: source.place })
    throw databaseAbsent({ place: source.place })
  }
  let version = 0
  for await (const [found] of everyRow(source, versions, ['version'])) version = Math.max(version, Number(found))
  return version
}

/** Other programs have tables of that name, too. */
async function hasVersions(source: RowSource): Promise<boolean> {
  const [table] = await source.listTables([versions]).catch(ifNotCarried)
  return table?.columns.length === 1 && table.columns[0]?.name === 'version' && table.columns[0].kind === 'integer'
}

async function hasTables(source: RowSource): Promise<boolean> {
  let isRefused = false
  const tables = await source.listTables().catch((error: unknown) => {
    isRefused = true
    return ifNotCarried(error)
  })
  return isRefused || tables.length > 0
}

/** A column of a type that ours never have. */
function ifNotCarried(error: unknown): readonly CarriedTable[] {
  if (tableNotCarried.is(error)) return []
  throw error
}
