import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import type { NumberList, SqlRow, SqlStatement, SqlValue } from '../../src/store/sql/connection.ts'
import type { Dialect } from '../../src/store/sql/dialect.ts'
import { fillPlanned, findPlanned } from '../../src/store/sqlite/planned-values.ts'
import { defineSearchFunctions } from '../../src/store/sqlite/search/search-functions.ts'
import { connectionSettings, findNumbering, numberOfInserted } from '../../src/store/sqlite/sqlite-connection.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'
import { withTrigrams } from '../../src/store/sqlite/trigram-table.ts'

/** Where the tables are that the server uses. */
export type DatabasePlace =
  | { readonly engine: 'sqlite'; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string; readonly schema: string }

/** The driver and nothing else: what a program could do at best with the same tables. */
export interface BareDatabase {
  readonly dialect: Dialect
  /** Prepares the statement once, for any values. */
  prepare(statement: SqlStatement): (values: readonly unknown[]) => Promise<readonly SqlRow[]>
  begin(): Promise<void>
  commit(): Promise<void>
  /** Does something so many times in one commit, and what they leave for its end. */
  transact(times: number, work: () => Promise<void>, atEnd?: () => Promise<void>): Promise<void>
}

export async function openBareDatabase(place: DatabasePlace): Promise<BareDatabase> {
  const database = place.engine === 'sqlite' ? await openSqlite(place.file) : await openPostgres(place.url, place.schema)
  return {
    ...database,
    async transact(times, work, atEnd) {
      await database.begin()
      for (let turn = 0; turn < times; turn++) await work()
      await atEnd?.()
      await database.commit()
    },
  }
}

type Driver = Omit<BareDatabase, 'transact'>

async function openSqlite(file: string): Promise<Driver> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 5_000, returnArrays: true })
  database.exec(`PRAGMA journal_mode = WAL;${connectionSettings}`)
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  // How well a document matches words is a rule of its own, in JavaScript here as in the server.
  defineSearchFunctions(database, () => {})
  const numberOf = storingLists(database)
  const all = async ({ sql: text }: SqlStatement) => database.prepare(text).all() as unknown as readonly SqlRow[]
  return {
    // With parts of words, as the table that the server keeps has them.
    dialect: await withTrigrams(sqliteDialect, { all }),
    prepare: (statement) => {
      const bind = (values: readonly unknown[]) =>
        values.map((value) => (isNumberList(value) ? numberOf(value) : (value as SqlValue)))
      const numbering = findNumbering(statement.sql)
      if (numbering !== undefined) {
        const insert = database.prepare(numbering)
        insert.setReadBigInts(true)
        return async (values) => {
          const row = numberOfInserted(insert.run(...bind(values)))
          return row === undefined ? [] : [row]
        }
      }
      const find = preparing(database, statement.sql)
      return async (values) => {
        const { prepared, left } = find(values)
        return prepared.all(...bind(left)) as unknown as readonly SqlRow[]
      }
    },
    // Not run(): it also tells the number of the last row, and those of full text are larger than it can tell.
    begin: async () => void begin.get(),
    commit: async () => void commit.get(),
  }
}

/** A statement is planned once for each limit that it is given, as the server's are. */
function preparing(database: DatabaseSync, text: string) {
  const planned = findPlanned(text)
  const prepared = database.prepare(text)
  const known = new Map<string, StatementSync>()
  return (values: readonly unknown[]) => {
    const filled = planned && fillPlanned(planned, values as SqlValue[])
    if (filled === undefined) return { prepared, left: values }
    const before = known.get(filled.sql) ?? database.prepare(filled.sql)
    known.set(filled.sql, before)
    return { prepared: before, left: filled.values }
  }
}

/** Lists of numbers stay in a table of the connection, as those of the server do: a statement names the one that it looks into. */
function storingLists(database: DatabaseSync): (list: NumberList) => number {
  database.exec('CREATE TEMP TABLE lists (list INTEGER NOT NULL, item INTEGER NOT NULL, PRIMARY KEY (list, item)) WITHOUT ROWID')
  const insert = database.prepare('INSERT OR IGNORE INTO temp.lists (list, item) SELECT ?, value FROM json_each(?)')
  const numbers = new Map<string, number>()
  return ({ text }) => {
    const known = numbers.get(text)
    if (known !== undefined) return known
    const number = numbers.size + 1
    insert.get(number, text)
    numbers.set(text, number)
    return number
  }
}

function isNumberList(value: unknown): value is NumberList {
  return typeof value === 'object' && value !== null && 'size' in value
}

// Integers of all sizes as numbers, all else as text, as the server reads them.
const types = { getTypeParser: (type: number) => ([20, 21, 23].includes(type) ? Number : String) }

async function openPostgres(url: string, schema: string): Promise<Driver> {
  // The served page has several requests under way on the one connection.
  const client = new pg.Client({ connectionString: url, pipeline: true })
  await client.connect()
  await client.query(`SET search_path = ${pg.escapeIdentifier(schema)}; SET jit = off`)
  let prepared = 0
  return {
    dialect: postgresDialect,
    prepare: ({ text }) => {
      const name = `bare_${prepared++}`
      return async (values) => (await client.query<SqlValue[]>({ name, text, values: [...values], types, rowMode: 'array' })).rows
    },
    begin: async () => void (await client.query('BEGIN')),
    commit: async () => void (await client.query('COMMIT')),
  }
}
