import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { postgresDialect } from '../../src/store/postgres/postgres-dialect.ts'
import type { SqlRow, SqlStatement, SqlValue } from '../../src/store/sql/connection.ts'
import type { Dialect } from '../../src/store/sql/dialect.ts'
import { connectionSettings } from '../../src/store/sqlite/sqlite-connection.ts'
import { sqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts'

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
}

export async function openBareDatabase(place: DatabasePlace): Promise<BareDatabase> {
  return place.engine === 'sqlite' ? openSqlite(place.file) : openPostgres(place.url, place.schema)
}

function openSqlite(file: string): BareDatabase {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false, timeout: 5_000, returnArrays: true })
  database.exec(`PRAGMA journal_mode = WAL;${connectionSettings}`)
  const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')]
  return {
    dialect: sqliteDialect,
    prepare: (statement) => {
      const prepared = database.prepare(statement.sql)
      return async (values) => prepared.all(...(values as readonly SqlValue[])) as unknown as readonly SqlRow[]
    },
    // Not run(): it also tells the number of the last row, and those of full text are larger than it can tell.
    begin: async () => void begin.get(),
    commit: async () => void commit.get(),
  }
}

// Integers of all sizes as numbers, all else as text, as the server reads them.
const types = { getTypeParser: (type: number) => ([20, 21, 23].includes(type) ? Number : String) }

async function openPostgres(url: string, schema: string): Promise<BareDatabase> {
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
