import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { raw } from 'sql-template-tag'
import { silentLog } from '../../base/log.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { databaseAbsent } from '../problems.ts'
import type { SqlRow, SqlValue } from '../sql/connection.ts'
import { setCopyComplete } from '../sql/copy-mark.ts'
import {
  type CarriedColumn,
  type CarriedSource,
  type CarriedTable,
  type CarriedTarget,
  type ColumnKind,
  everyKey,
  fileKeysAfter,
  tableNotCarried,
} from '../transfer/carried-database.ts'
import { prepareTarget, type TargetWish } from '../transfer/prepare-target.ts'
import { restrictToOwner } from './private-file.ts'
import { openSqliteConnection, type SqliteConnection, whenFree } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import { problemOfSqlite } from './sqlite-errors.ts'

/** An embedded database as it is now, read beside a server that goes on writing to it. */
export async function openSqliteSnapshot(file: string): Promise<CarriedSource & { close(): Promise<void> }> {
  if (!existsSync(file)) throw databaseAbsent({ place: file })
  const database = await explaining(file, async () => openDatabase(file))
  try {
    database.exec('PRAGMA query_only = 1; BEGIN')
    // The first look fixes what is seen.
    await explaining(file, () => whenFree(() => database.prepare('SELECT count(*) FROM sqlite_schema').get()))
  } catch (error) {
    database.close()
    throw error
  }
  return { ...sourceOf(database, file), close: async () => database.close() }
}

/** Says what is wrong with a file that is no database, or a damaged one. */
async function explaining<Result>(file: string, look: () => Promise<Result>): Promise<Result> {
  try {
    return await look()
  } catch (error) {
    throw problemOfSqlite(error, file) ?? error
  }
}

/** @throws targetNotEmpty */
export async function openSqliteTarget(
  file: string,
  wish: Omit<TargetWish, 'place'>,
): Promise<CarriedTarget & { close(): Promise<void> }> {
  await makeFolder(dirname(file))
  await restrictToOwner(file, silentLog)
  const writer = await openSqliteConnection(file, 'write')
  try {
    await inTransaction(writer, () => prepareTarget(writer, sqliteDialect, { ...wish, place: file }))
  } catch (error) {
    writer.close()
    throw error
  }
  const reader = openDatabase(file)
  return {
    ...sourceOf(reader, file),
    insert: (table, rows) => inTransaction(writer, () => runEach(writer, insertText(table), rows)),
    remove: (table, keys) => inTransaction(writer, () => runEach(writer, removeText(table), keys)),
    async continueFrom({ name }, number) {
      const isCounted = reader.prepare(`SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%AUTOINCREMENT%'`).get(name)
      // Others go on from the largest that is there.
      if (isCounted === undefined || number === 0) return
      await inTransaction(writer, async () => {
        await writer.run(statementOf('DELETE FROM sqlite_sequence WHERE name = ?', [name]))
        await writer.run(statementOf('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [name, number]))
      })
    },
    async close() {
      reader.close()
      writer.close()
    },
  }
}

export async function completeSqliteCopy(file: string): Promise<void> {
  const writer = await openSqliteConnection(file, 'write')
  try {
    await setCopyComplete(writer, true)
  } finally {
    writer.close()
  }
}

function openDatabase(file: string): DatabaseSync {
  return new DatabaseSync(file, { returnArrays: true, timeout: 5_000, enableForeignKeyConstraints: false })
}

function sourceOf(database: DatabaseSync, file: string): CarriedSource {
  return {
    engine: 'sqlite',
    place: file,
    listTables: async (names) => listTables(database, names),
    count: async ({ name }) => Number(rowsOf(database, `SELECT count(*) FROM ${quoted(name)}`)[0]?.[0]),
    pages: (table) => pagesOf(database, table),
    async lastNumber({ name, key }) {
      const counters = rowsOf(database, `SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`).length
      const counted = counters === 0 ? [] : rowsOf(database, 'SELECT seq FROM sqlite_sequence WHERE name = ?', name)
      const [largest] = rowsOf(database, `SELECT max(${quoted(key[0] ?? '')}) FROM ${quoted(name)}`)
      return Math.max(Number(counted[0]?.[0] ?? 0), Number(largest?.[0] ?? 0))
    },
    fileKeys: () =>
      everyKey(async (key) => rowsOf(database, fileKeysAfter('document_values', '?'), key).map(([value]) => String(value))),
  }
}

function rowsOf(database: DatabaseSync, text: string, ...values: SqlValue[]): readonly SqlRow[] {
  return database.prepare(text).all(...values) as unknown as readonly SqlRow[]
}

/** Neither the parts of full-text tables nor what SQLite keeps for itself. */
const catalogue = `
  SELECT tables.name, columns.name, columns.type, columns.pk
    FROM pragma_table_list AS tables, pragma_table_xinfo(tables.name) AS columns
   WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
   ORDER BY tables.name, columns.cid`

function listTables(database: DatabaseSync, names?: readonly string[]): readonly CarriedTable[] {
  const wanted = rowsOf(database, catalogue).filter(([table]) => names === undefined || names.includes(String(table)))
  const byName = Map.groupBy(wanted, ([table]) => String(table))
  return [...byName].map(([name, rows]): CarriedTable => {
    const columns = rows.map(([, column, type]): CarriedColumn => columnOf(name, String(column), String(type)))
    const key = rows
      .filter(([, , , place]) => Number(place) > 0)
      .sort((left, right) => Number(left[3]) - Number(right[3]))
      .map(([, column]) => String(column))
    const isNumbered = key.length === 1 && columns.find((column) => column.name === key[0])?.kind === 'integer'
    return { name, columns, key, hasPrimaryKey: key.length > 0, isNumbered }
  })
}

const kinds: Readonly<Record<string, ColumnKind>> = { TEXT: 'text', INTEGER: 'integer', INT: 'integer', REAL: 'number' }

function columnOf(table: string, name: string, type: string): CarriedColumn {
  const kind = kinds[type.toUpperCase()]
  if (kind === undefined)
    throw tableNotCarried({ table, reason: `its column ${name} has the type ${type || '(none)'}, which not every database has` })
  return { name, kind, type }
}

const rowsOnAPage = 500

async function* pagesOf(database: DatabaseSync, { name, columns, key }: CarriedTable): AsyncGenerator<readonly SqlRow[]> {
  const text = `SELECT ${columns.map((column) => quoted(column.name)).join(', ')} FROM ${quoted(name)} ORDER BY ${key.map(quoted).join(', ')}`
  let page: SqlRow[] = []
  for (const row of database.prepare(text).iterate()) {
    page.push(row as unknown as SqlRow)
    if (page.length < rowsOnAPage) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

function insertText({ name, columns }: CarriedTable): string {
  return `INSERT INTO ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
}

function removeText({ name, key }: CarriedTable): string {
  return `DELETE FROM ${quoted(name)} WHERE ${key.map((column) => `${quoted(column)} IS ?`).join(' AND ')}`
}

async function runEach(connection: SqliteConnection, text: string, rows: readonly SqlRow[]): Promise<void> {
  for (const row of rows) await connection.run(statementOf(text, row))
}

function statementOf(text: string, values: readonly SqlValue[]) {
  return { ...raw(text), sql: text, text, values: [...values] }
}

async function inTransaction(connection: SqliteConnection, work: () => Promise<void>): Promise<void> {
  await whenFree(() => connection.execute('BEGIN IMMEDIATE'))
  try {
    await work()
    connection.execute('COMMIT')
  } catch (error) {
    if (connection.isInTransaction()) connection.execute('ROLLBACK')
    throw error
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
