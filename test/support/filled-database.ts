import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { userDirectory } from '../../src/core/directories/people.ts'
import { storedEntry } from '../../src/core/directories/stored-entry.ts'
import type { Services } from '../../src/rest/services.ts'
import { firstAdministrator } from '../../src/settings/administrator-password.ts'
import { startTestServer } from '../../src/testing.ts'
import { atEnd } from './at-end.ts'
import type { EngineName } from './database-place.ts'
import { testPostgresUrl } from './postgres.ts'
import { sharedOriginals } from './shared-originals.ts'

/** Where a server keeps its data, as it left them after its first start. */
export interface FilledDatabase {
  readonly data: string
  readonly databaseUrl?: string
  readonly databaseSchema?: string
}

const schema = 'quire'
/** The administrator's usual password, as an account that came from elsewhere has it. */
const quickPassword = '{SSHA512}Nchd0HWjmRa3arYZidSdSxeu4YGWxzd38ebGjx47l3kOWwssOYJ7a0AJ2/vMGpP65+LTa/9oKqUGeYuOMGssyXF1aWNrb25l'
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
  const original = originals.get(engine) ?? findOriginal(engine)
  originals.set(engine, original)
  return original
}

/** One that another process of this run has made, or a new one, for others as well. */
async function findOriginal(engine: EngineName): Promise<FilledDatabase> {
  const shared = sharedOriginals()
  if (shared === undefined) return makeOriginal(engine, await freshFolder())
  const file = join(shared, `${engine}.json`)
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8'))
  // Nobody waits for a process that is about to make one: the first few each make their own, and the last of them is kept.
  const data = await mkdtemp(join(shared, 'data-'))
  const original = await makeOriginal(engine, data)
  await writeFile(join(data, 'original.json'), JSON.stringify(original))
  await rename(join(data, 'original.json'), file)
  return original
}

async function makeOriginal(engine: EngineName, data: string): Promise<FilledDatabase> {
  const database =
    engine === 'sqlite' ? { data } : { data, databaseUrl: await createDatabase('template1'), databaseSchema: schema }
  const server = await startTestServer({ settings: { ...database } })
  await easePassword(server.services)
  await server.stop()
  return database
}

/** Servers look at the administrator's password at their start, and at its first log-in: a twentieth of all the time of the tests. */
async function easePassword({ directories: { store, definitions } }: Services): Promise<void> {
  await store.transact(async ({ directories }) => {
    const entry = await directories.find(userDirectory, firstAdministrator)
    const users = definitions.get(userDirectory)
    if (entry === undefined || users === undefined) throw new Error('A new server has no administrator.')
    await directories.update(
      userDirectory,
      storedEntry(users, { ...entry, values: { ...entry.values, password: quickPassword } }),
    )
  })
}

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-filled-'))
  folders.push(folder)
  return folder
}

async function createDatabase(original: string): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // An original that others copy ends with the server.
  if (original !== 'template1' || sharedOriginals() === undefined) databases.push(name)
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
