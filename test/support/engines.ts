import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe } from 'node:test'
import pg from 'pg'
import { type Log, silentLog } from '../../src/base/log.ts'
import type { DocumentIndexing } from '../../src/nxql/document-indexing.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import type { SearchLimits } from '../../src/store/search-limits.ts'
import type { SqlStatement } from '../../src/store/sql/connection.ts'
import type { IndexedProperty } from '../../src/store/sql/documents/property-indexes.ts'
import { openSqliteConnection } from '../../src/store/sqlite/sqlite-connection.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { atEnd } from './at-end.ts'
import { builtinIndexing } from './builtin-indexing.ts'
import { freshPostgresSchema } from './postgres.ts'
import { isQuick } from './quick.ts'

export interface StoreOptions {
  readonly repository?: string
  readonly indexedProperties?: readonly IndexedProperty[]
  readonly indexing?: DocumentIndexing
  readonly searchLimits?: SearchLimits
  readonly asItIs?: boolean
  readonly log?: Log
}

/** A database that one test has to itself; each store opened on it is as good as another process. */
export interface TestDatabase {
  open(options?: StoreOptions): Promise<Store>
  /** A statement of the test's own, on a connection of its own that is set up like those of a store. */
  query(statement: SqlStatement): Promise<readonly (readonly unknown[])[]>
}

export interface Engine {
  readonly name: Store['engine']
  /** An empty database with one store on it. Closed and removed after the test. */
  openStore(options?: StoreOptions): Promise<Store>
  /** An empty database, for tests that open several stores on it. */
  createDatabase(): Promise<TestDatabase>
}

/** Runs the same tests on both engines; a quick run leaves PostgreSQL out. */
export function onEachEngine(name: string, tests: (engine: Engine) => void): void {
  describe(`${name} (sqlite)`, () => tests(closing('sqlite', createSqliteDatabase)))
  if (isQuick()) return
  describe(`${name} (postgres)`, () => tests(closing('postgres', createPostgresDatabase)))
}

/** Closes after each test what the test opened. */
function closing(name: Engine['name'], create: () => Promise<TestDatabase>): Engine {
  const open: Store[] = []
  afterEach(async () => {
    for (const store of open.splice(0)) await store.close()
  })
  const createDatabase = async (): Promise<TestDatabase> => {
    const database = await create()
    return {
      ...database,
      async open(options) {
        const store = await database.open(options)
        open.push(store)
        return store
      },
    }
  }
  return { name, createDatabase, openStore: async (options) => (await createDatabase()).open(options) }
}

const folders: string[] = []

async function createSqliteDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-store-'))
  folders.push(folder)
  const file = join(folder, 'test.db')
  return {
    open: (options) => openSqliteStore({ file, cachedDocuments: 100, ...complete(options) }),
    async query(statement) {
      const connection = await openSqliteConnection(file, 'write')
      try {
        return await connection.all(statement)
      } finally {
        connection.close()
      }
    },
  }
}

async function createPostgresDatabase(): Promise<TestDatabase> {
  const place = await freshPostgresSchema()
  return {
    open: (options) => openPostgresStore({ ...place, cachedDocuments: 100, ...complete(options) }),
    async query({ text, values }) {
      const client = new pg.Client(place.url)
      await client.connect()
      try {
        await client.query(`SET search_path = ${place.schema}; SET random_page_cost = 1.1`)
        return (await client.query({ text, values, rowMode: 'array' })).rows
      } finally {
        await client.end()
      }
    },
  }
}

function complete(options: StoreOptions = {}) {
  return { repository: 'default', indexedProperties: [], indexing: builtinIndexing, log: silentLog, ...options }
}

atEnd(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})
