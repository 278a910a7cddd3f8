import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export const engines = ['sqlite', 'postgres'] as const

export type EngineName = (typeof engines)[number]

type ColumnValue = string | number | bigint | null | Uint8Array

/** Where servers keep their data: any number of them, one after another or at the same time. */
export interface DatabasePlace {
  readonly engine: EngineName
  readonly folder: string
  /** What a server has to be told, by the names of `quire.config.ts`. */
  readonly settings: { readonly [name: string]: string }
  /** The same for the command line. */
  readonly flags: readonly string[]
  /** Asks the tables of the default repository from outside, past every server. */
  query(statement: string): Promise<readonly { readonly [column: string]: ColumnValue }[]>
  close(): Promise<void>
}

export function sqlitePlace(folder: string): DatabasePlace {
  return {
    engine: 'sqlite',
    folder,
    settings: { data: folder },
    flags: ['--data', folder],
    async query(statement) {
      const database = new DatabaseSync(join(folder, 'default.sqlite'), { timeout: 5_000 })
      try {
        return database.prepare(statement).all() as { [column: string]: ColumnValue }[]
      } finally {
        database.close()
      }
    },
    async close() {},
  }
}

export function postgresPlace(folder: string, url: string, schema: string): DatabasePlace {
  const options = `-c search_path=${schema}_default`
  const pool = new pg.Pool({ connectionString: url, options, max: 1, allowExitOnIdle: true })
  pool.on('error', () => {}) // a server that was killed under an idle connection is asked anew on another
  return {
    engine: 'postgres',
    folder,
    settings: { data: folder, databaseUrl: url, databaseSchema: schema },
    flags: ['--data', folder, '--database-url', url, '--database-schema', schema],
    query: async (statement) => (await pool.query(statement)).rows,
    close: () => pool.end(),
  }
}

const tables = ['documents', 'acps', 'directory_entries', 'directory_references', 'jobs', 'document_values', 'file_texts']

/** Every row of every table that keeps something for good, or of the chosen ones, as text to compare. */
export async function dumpTables(place: DatabasePlace, chosen: readonly string[] = tables): Promise<readonly string[]> {
  const dump: string[] = []
  for (const table of chosen) {
    const rows = await place.query(`SELECT * FROM ${table}`)
    dump.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`).sort())
  }
  return dump
}
