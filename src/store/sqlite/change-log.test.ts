import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import sql from 'sql-template-tag'
import { migrate } from '../sql/migrations.ts'
import { anyChange, type CommittedChanges, createChangeLog } from './change-notes.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

/** A process on the file: what it commits, and what it is told of others'. */
async function aProcess(file: string) {
  const connection = await openSqliteConnection(file, 'write')
  const told: CommittedChanges[] = []
  const log = createChangeLog(connection, (changes) => told.push(changes))
  return {
    connection,
    commit(ids: readonly string[], directories = false) {
      connection.execute('BEGIN IMMEDIATE')
      log.append({ documents: new Set(ids), directories })
      connection.execute('COMMIT')
    },
    /** What it is told in a new round of the event loop, and whether the version is another one. */
    ask() {
      told.length = 0
      const before = log.version()
      log.renew()
      const isNew = log.version() !== before
      return { told: [...told], isNew }
    },
  }
}

async function twoProcesses(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'quire-changes-'))
  const file = join(folder, 'test.sqlite')
  const [one, other] = [await aProcess(file), await aProcess(file)]
  context.after(async () => {
    for (const { connection } of [one, other]) connection.close()
    await rm(folder, { recursive: true })
  })
  await migrate(one.connection, sqliteDialect)
  other.ask()
  one.ask()
  return [one, other] as const
}

async function rowsOf(connection: SqliteConnection): Promise<number> {
  return Number((await connection.get(sql`SELECT count(*) FROM committed_changes`))?.[0])
}

const changes = (ids: readonly string[], directories = false): CommittedChanges => ({ documents: new Set(ids), directories })

test('a process is told what others have committed, once, and not what it committed itself', async (context) => {
  const [one, other] = await twoProcesses(context)
  one.commit(['first'])
  other.ask() // nothing was there before to go on from
  one.commit(['a', 'b'])
  other.commit(['own'])
  one.commit(['c'], true)
  assert.deepEqual(other.ask().told, [changes(['a', 'b', 'c'], true)])
  assert.deepEqual(other.ask().told, [])
  other.commit(['own'])
  assert.deepEqual(other.ask().told, [])
  one.commit([])
  assert.deepEqual(other.ask().told, [changes([])])
})

test('a transaction that changes very many documents counts as one that changes any', async (context) => {
  const [one, other] = await twoProcesses(context)
  one.commit(['first'])
  other.ask()
  one.commit(Array.from({ length: 501 }, (_, index) => `d${index}`))
  assert.deepEqual(other.ask().told, [{ documents: 'any', directories: true }])
})

test('anything may have changed when somebody commits without saying what', async (context) => {
  const [one, other] = await twoProcesses(context)
  one.commit(['first'])
  other.ask()
  one.connection.execute('CREATE TABLE something (id INTEGER)')
  assert.deepEqual(other.ask().told, [anyChange])
})

test('anything may have changed for a process that has not asked for so long that rows are gone', async (context) => {
  const [one, other] = await twoProcesses(context)
  one.commit(['first'])
  other.ask()
  await one.connection.run(sql`PRAGMA synchronous = OFF`)
  for (let commit = 0; commit < 2_000; commit++) one.commit([`d${commit}`])
  const rows = await rowsOf(one.connection)
  assert.ok(rows >= 1_000 && rows <= 1_100, `${rows} rows`)
  assert.deepEqual(other.ask().told, [anyChange])
  one.commit(['a'])
  assert.deepEqual(other.ask().told, [changes(['a'])])
})

test('the version stays the same in a round of the event loop, and is another one in the next', async (context) => {
  const [one, other] = await twoProcesses(context)
  const told: CommittedChanges[] = []
  const log = createChangeLog(other.connection, (some) => told.push(some))
  const before = log.version()
  one.commit(['a'])
  assert.equal(log.version(), before)
  await new Promise(setImmediate)
  assert.notEqual(log.version(), before)
  assert.equal(told.length, 2)
})
