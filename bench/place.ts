import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../test/support/embedded-postgres.ts'
import type { DatabasePlace } from './bare/bare-database.ts'

/** Where one repository is, as the server and as the bare programs are told. */
export interface Place {
  readonly folder: string
  readonly settings: { readonly [name: string]: string }
  readonly database: DatabasePlace
}

/** Gives out places for repositories and clears up behind them. */
export interface Places {
  create(name: string, folder: string): Place
  close(): Promise<void>
}

export const sqlitePlaces: Places = {
  create: (_, folder) => ({
    folder,
    settings: { data: folder },
    database: { engine: 'sqlite', file: join(folder, 'default.sqlite') },
  }),
  async close() {},
}

/** Without the address of a server, one is started that keeps all it acknowledges, as a real one does. */
export async function openPostgresPlaces(givenUrl: string | undefined): Promise<Places> {
  const embedded = givenUrl === undefined ? await startEmbeddedPostgres('full') : undefined
  const url = givenUrl ?? embedded?.url ?? ''
  const prefix = `bench_${randomBytes(4).toString('hex')}`
  return {
    create(name, folder) {
      const databaseSchema = `${prefix}_${name}`
      return {
        folder,
        settings: { data: folder, databaseUrl: url, databaseSchema },
        database: { engine: 'postgres', url, schema: `${databaseSchema}_default` },
      }
    },
    async close() {
      if (embedded === undefined) await dropSchemas(url, prefix)
      else await embedded.stop()
    },
  }
}

async function dropSchemas(url: string, prefix: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    'SELECT nspname AS name FROM pg_namespace WHERE starts_with(nspname, $1)',
    [prefix],
  )
  for (const { name } of rows) await client.query(`DROP SCHEMA ${pg.escapeIdentifier(name)} CASCADE`)
  await client.end()
}
