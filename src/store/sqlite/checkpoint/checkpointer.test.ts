import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { silentLog } from '../../../base/log.ts'
import { openSqliteConnection, type SqliteConnection } from '../sqlite-connection.ts'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-checkpointer-'))
after(() => rm(folder, { recursive: true }))

const pageBytes = 4_096
const writtenPages = 500

interface Place {
  readonly file: string
  readonly connection: SqliteConnection
  readonly checkpointer: Checkpointer
  /** A commit of about so many pages. */
  write(): void
}

let places = 0

async function onPlace(body: (place: Place) => Promise<void>): Promise<void> {
  const file = join(folder, `${places++}.sqlite`)
  const connection = await openSqliteConnection(file, 'write')
  // Only the thread writes back here.
  connection.execute('PRAGMA wal_autocheckpoint = 0')
  const checkpointer = createCheckpointer(file, connection.lookAtLog, silentLog)
  await connection.run(sql`CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)`)
  const write = () => {
    connection.execute('BEGIN IMMEDIATE')
    connection.execute(`INSERT INTO texts (text) VALUES (zeroblob(${pageBytes * writtenPages}))`)
    connection.execute('COMMIT')
    checkpointer.noteCommit()
  }
  try {
    await body({ file, connection, checkpointer, write })
  } finally {
    await checkpointer.close()
    connection.close()
  }
}

/** Writes until something is so, now and then waiting for a while as a server would. */
async function writeUntil({ connection, write }: Place, isSo: () => boolean, maxCommits = 300): Promise<void> {
  for (let commits = 0; !isSo(); commits++) {
    assert.ok(commits < maxCommits, `${isSo} does not become true: ${JSON.stringify(connection.lookAtLog())}`)
    try {
      write()
    } catch (error) {
      assert.match(String(error), /locked/)
      assert.equal(connection.isInTransaction(), false)
    }
    await delay(20)
  }
}

describe('the log of the database', () => {
  test('is written back by another thread while commits go on, and begins anew', () =>
    onPlace(async (place) => {
      let highest = 0
      let beginnings = 0
      let last = 0
      await writeUntil(place, () => {
        const { pages } = place.connection.lookAtLog()
        if (pages < last) beginnings++
        last = pages
        highest = Math.max(highest, pages)
        return beginnings === 3
      })
      assert.ok(highest < 60_000, `${highest} pages`)
    }))

  test('is left alone while it is small', () =>
    onPlace(async ({ connection, write }) => {
      for (let commits = 0; commits < 5; commits++) write()
      await delay(300)
      assert.equal(connection.lookAtLog().writtenBack, 0)
    }))

  test('that is written back is no commit for others', () =>
    onPlace(async (place) => {
      const { connection } = place
      const version = connection.dataVersion()
      await writeUntil(place, () => connection.lookAtLog().writtenBack > 0)
      await writeUntil(place, () => connection.lookAtLog().pages < 2_000)
      assert.equal(connection.dataVersion(), version)
    }))

  test('waits for the reader of an old snapshot, and is written back after it', () =>
    onPlace(async (place) => {
      const { file, connection } = place
      const reading = new DatabaseSync(file)
      place.write()
      reading.exec('BEGIN; SELECT count(*) FROM texts')
      const { pages: snapshot } = connection.lookAtLog()
      for (let commits = 0; commits < 30; commits++) {
        place.write()
        await delay(20)
      }
      assert.ok(connection.lookAtLog().writtenBack <= snapshot)
      reading.exec('COMMIT')
      await writeUntil(place, () => connection.lookAtLog().pages < 4_000)
      reading.close()
    }))

  test('is in the file after the last connection is closed', async () => {
    let name = ''
    await onPlace(async (place) => {
      name = place.file
      for (let commits = 0; commits < 20; commits++) place.write()
    })
    assert.equal(existsSync(`${name}-wal`), false)
    assert.ok(statSync(name).size > 20 * writtenPages * pageBytes)
  })

  test('stays as it is where no thread can write it back, which is told', async () => {
    const warned: string[] = []
    const log = { ...silentLog, warn: ({ event }: { event: string }) => warned.push(event) }
    const failing = createCheckpointer(join(folder, 'missing', 'file.sqlite'), () => ({ pages: 9_999, writtenBack: 0 }), log)
    failing.noteCommit()
    for (let round = 0; warned.length === 0 && round < 300; round++) await delay(10)
    assert.deepEqual(warned, ['checkpoint.failed'])
    await failing.close()
  })

  test('has every commit that was told of, wherever a process was killed that had it written back', async () => {
    for (let round = 0; round < 4; round++) {
      const file = join(folder, `killed-${round}.sqlite`)
      const told = await killedWhileWriting(file, 12 + 5 * round)
      const database = new DatabaseSync(file)
      const { found } = database.prepare('SELECT count(*) AS found FROM texts').get() as { found: number }
      assert.ok(found >= told, `${found} of ${told}`)
      assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
      database.close()
    }
  })
})

/** How many commits a process told of that writes to a new database, and has its log written back, before it was killed. */
async function killedWhileWriting(file: string, commits: number): Promise<number> {
  const program = `${file}.mjs`
  const moduleAt = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  await writeFile(
    program,
    `import { openSqliteConnection } from ${moduleAt('../sqlite-connection.ts')}
     import { createCheckpointer } from ${moduleAt('./checkpointer.ts')}
     const connection = await openSqliteConnection(${JSON.stringify(file)}, 'write')
     const checkpointer = createCheckpointer(${JSON.stringify(file)}, connection.lookAtLog, console)
     connection.execute('CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)')
     setInterval(() => {
       try {
         connection.execute('INSERT INTO texts (text) VALUES (zeroblob(${pageBytes * writtenPages}))')
       } catch { return }
       checkpointer.noteCommit()
       process.stdout.write('.')
     }, 10)`,
  )
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let told = 0
  for await (const chunk of child.stdout) {
    told += String(chunk).length
    if (told >= commits) child.kill('SIGKILL')
  }
  await exited
  return told
}
