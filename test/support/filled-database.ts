import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startTestServer } from '../../src/testing.ts'
import { atEnd } from './at-end.ts'
import type { EngineName } from './database-place.ts'
import { testPostgresUrl } from './postgres.ts'

/** Where a server keeps its data, as it left them after its first start. */
export interface FilledDatabase {
  readonly data: string
  readonly databaseUrl?: string
  readonly databaseSchema?: string
}

const schema = 'quire'
const originals = new Map<EngineName, Promise<FilledDatabase>>()
const folders: string[] = []
const databases: string[] = []

/**
 * Data of a server that has started once, for nobody else. They are a copy: to make them takes three times as long, and nearly every
 * test file needs two of them.
 */
export async function filledDatabase(engine: EngineName): Promise<FilledDatabase> {
  const original = await originalOf(engine)
  const data = await freshFolder()
  await cp(original.data, data, { recursive: true })
  if (original.databaseUrl === undefined) return { data }
  return { data, databaseUrl: await createDatabase(new URL(original.databaseUrl).pathname.slice(1)), databaseSchema: schema }
}

function originalOf(engine: EngineName): Promise<FilledDatabase> {
  const original = originals.get(engine) ?? makeOriginal(engine)
  originals.set(engine, original)
  return original
}

async function makeOriginal(engine: EngineName): Promise<FilledDatabase> {
  const data = await freshFolder()
  const database =
    engine === 'sqlite' ? { data } : { data, databaseUrl: await createDatabase('template1'), databaseSchema: schema }
  await (await startTestServer({ settings: { ...database } })).stop()
  return database
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-filled-'))
  folders.push(folder)
  return folder
}

async function createDatabase(original: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  databases.push(name)
  await onPostgres((client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${original} STRATEGY FILE_COPY`))
  return String(new URL(`/${name}`, await testPostgresUrl()))
}

async function onPostgres(body: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(await testPostgresUrl())
  await client.connect()
  try {
    await body(client)
  } finally {
    await client.end()
  }
}

atEnd(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
  if (databases.length === 0) return
  await onPostgres(async (client) => {
    for (const name of databases) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  })
})
