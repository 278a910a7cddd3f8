// `node test/upgrade/keep-data-program.ts NAME [PROGRAM]` keeps data as this version, or the server of another program, writes it, in
// `test/upgrade/kept/NAME`, for the tests of all later versions. To be called for every release, and never again for the same.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type DatabasePlace, postgresPlace, sqlitePlace } from '../support/database-place.ts'
import { startEmbeddedPostgres } from '../support/embedded-postgres.ts'
import { startProgram } from '../support/program.ts'
import { quireProgram } from '../support/quire-program.ts'
import { stopProgram } from '../support/server-programs.ts'
import { fillWithContent, readContent } from './kept-content.ts'
import { keepTables, noteStatements } from './kept-postgres.ts'

const [name = '', program = quireProgram] = process.argv.slice(2)
if (!/^[\w.-]+$/.test(name)) throw new Error('Name the version, and the program if it is another one.')
// Others may not know the setting.
const variables = program === quireProgram ? { QUIRE_CONVERSION_IN_BACKGROUND: 'false' } : {}
const serving = ['serve', '--port', '0', '--log-level', 'warn']
const folder = resolve(import.meta.dirname, 'kept', name)
await mkdir(folder, { recursive: true })
await keepSqlite()
await keepPostgres()

async function keepSqlite(): Promise<void> {
  await inTemporaryFolder(async (data) => {
    await fill(sqlitePlace(data), 'sqlite')
    await writeFile(join(folder, 'default.sqlite.gz'), gzipSync(await readFile(join(data, 'default.sqlite'))))
    await cp(join(data, 'blobs'), join(folder, 'blobs-of-sqlite'), { recursive: true })
  })
}

async function keepPostgres(): Promise<void> {
  const server = await startEmbeddedPostgres()
  try {
    await noteStatements(server.url)
    await inTemporaryFolder(async (data) => {
      const place = postgresPlace(data, server.url, 'kept')
      await fill(place, 'postgres')
      await place.close()
      await keepTables(server.url, 'kept_default', join(folder, 'postgres.json.gz'))
      await cp(join(data, 'blobs'), join(folder, 'blobs-of-postgres'), { recursive: true })
    })
  } finally {
    await server.stop()
  }
}

async function fill(place: DatabasePlace, engine: string): Promise<void> {
  const server = await startProgram(program, [...serving, ...place.flags], variables)
  await fillWithContent(server.url)
  const content = await readContent(server.url)
  await writeFile(join(folder, `content-on-${engine}.json`), `${JSON.stringify(content, undefined, 2)}\n`)
  const code = await stopProgram(server)
  if (code !== 0) throw new Error(`The server ended with ${code}.`)
}

async function inTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'quire-kept-'))
  try {
    await work(temporary)
  } finally {
    await rm(temporary, { recursive: true })
  }
}
