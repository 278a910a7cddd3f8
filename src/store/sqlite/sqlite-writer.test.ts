import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import sql, { raw } from 'sql-template-tag'
import { noDeadline } from '../sql/transact.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { GroupCommitLost } from './sqlite-errors.ts'
import { createLogFlusher, createSqliteWriter, type SqliteWriter } from './sqlite-writer.ts'

/** A connection that notes its statements; `fail` makes one of them fail as the engine would. */
function aConnection(fail: (statement: string, connection: { isOpen: boolean }) => void = () => {}) {
  const seen: string[] = []
  const state = { isOpen: false }
  const execute = (text: string) => {
    seen.push(text)
    fail(text, state)
    if (text === 'BEGIN IMMEDIATE') state.isOpen = true
    if (text === 'COMMIT' || text === 'ROLLBACK') state.isOpen = false
  }
  const connection: SqliteConnection = {
    all: async () => [],
    allWithin: async () => [],
    allBriefly: async () => [],
    allNow: () => [],
    get: async () => undefined,
    async run(statement) {
      execute(statement.sql)
      return 1
    },
    runNow: ({ sql: text }) => execute(text),
    execute,
    isInTransaction: () => state.isOpen,
    dataVersion: () => 1,
    lookAtLog: () => ({ pages: 0, writtenBack: 0 }),
    close: () => seen.push('close'),
  }
  return { connection, seen }
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** One that has written and waits for its commit. */
async function writing(writer: SqliteWriter): Promise<{ end(): Promise<void> }> {
  const open = await writer.begin(noDeadline)
  await open.run(sql`write`)
  const committed = open.commit()
  committed.catch(() => {})
  return { end: () => committed }
}

/** Has a transaction fail after it wrote, and another with it. */
async function loseOne(writer: SqliteWriter): Promise<void> {
  const lost = await writing(writer)
  const failed = await writer.begin(noDeadline)
  await failed.run(sql`write`)
  await failed.rollback()
  await assert.rejects(lost.end(), GroupCommitLost)
}

const fullDisk = Object.assign(new Error('full'), { errcode: 13 })

describe('writing transactions', () => {
  // Who takes turns depends on it, and a busy machine would take time that no statement took.
  let clock = 100
  beforeEach(() => {
    clock = 100
    mock.method(performance, 'now', () => clock)
  })
  afterEach(() => mock.restoreAll())

  test('that come in one round of the event loop share one commit and are answered after it', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const write = async (name: string) => {
      const open = await writer.begin(noDeadline)
      await open.run(sql`${sql`write`}`)
      await open.commit()
      seen.push(`${name} answered`)
    }
    await Promise.all(['a', 'b'].map(write))
    assert.deepEqual(seen, ['BEGIN IMMEDIATE', 'write', 'write', 'COMMIT', 'a answered', 'b answered'])
  })

  test('are answered when what they wrote is on the disk, and those that come meanwhile share the next commit', async () => {
    const { connection, seen } = aConnection()
    const flushes: PromiseWithResolvers<void>[] = []
    const writer = createSqliteWriter(connection, {
      flush() {
        seen.push('flush')
        flushes.push(Promise.withResolvers())
        return (flushes.at(-1) as PromiseWithResolvers<void>).promise
      },
    })
    const write = async (name: string) => {
      const open = await writer.begin(noDeadline)
      await open.run(sql`writes`)
      await open.commit()
      seen.push(`${name} answered`)
    }
    const ends = [write('a')]
    await rounds(5)
    ends.push(write('b'))
    await rounds(5)
    ends.push(write('c'))
    await rounds(5)
    const one = 'writes'
    assert.deepEqual(seen, ['BEGIN IMMEDIATE', one, 'COMMIT', 'flush', 'BEGIN IMMEDIATE', one, one])
    flushes[0]?.resolve()
    await rounds(5)
    assert.deepEqual(seen.slice(7), ['a answered', 'COMMIT', 'flush'])
    flushes[1]?.resolve()
    await Promise.all(ends)
    assert.deepEqual(seen.slice(10), ['b answered', 'c answered'])
  })

  test('let others have their turn once they took long, also where another waits for them to end', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const open = await writer.begin(noDeadline)
    const takeLong = (milliseconds: number) => {
      clock += milliseconds
      setImmediate(() => seen.push('other'))
    }
    await open.run(raw('at once'))
    takeLong(0.6)
    await open.run(raw('after a turn'))
    const next = writer.begin(noDeadline)
    takeLong(0.4)
    await open.run(raw('at once again'))
    takeLong(0.4)
    await open.run(raw('as somebody waits'))
    await Promise.all([open.rollback(), rounds(1)])
    await (await next).rollback()
    const told = seen.filter((text) => /other|at once|after|as/.test(text))
    assert.deepEqual(told, ['at once', 'other', 'after a turn', 'at once again', 'other', 'other', 'as somebody waits'])
  })

  test('refuse what comes after their end, also when that had its turn to wait for', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const open = await writer.begin(noDeadline)
    clock += 1
    const late = open.run(raw('late'))
    await open.rollback()
    await assert.rejects(late, /after the end of its transaction/)
    assert.ok(!seen.includes('late'))
  })

  test('fail when they do not reach the disk', async () => {
    const { connection } = aConnection()
    const writer = createSqliteWriter(connection, { flush: () => Promise.reject(fullDisk) })
    await assert.rejects((await writing(writer)).end(), fullDisk)
    await writer.close()
  })

  test('that only look wait for no disk, and nobody is told of them', async () => {
    const { connection } = aConnection()
    const told: boolean[] = []
    let flushes = 0
    const flush = async () => void flushes++
    const writer = createSqliteWriter(connection, { flush, beforeCommit: (hasWritten) => told.push(hasWritten) })
    const look = async () => {
      const open = await writer.begin(noDeadline)
      await open.run(sql`SELECT 1`)
      await open.commit()
    }
    await look()
    assert.deepEqual([told, flushes], [[false], 0])
    await Promise.all([look(), (await writing(writer)).end()])
    assert.deepEqual([told, flushes], [[false, true], 1])
    await look()
    assert.deepEqual([told, flushes], [[false, true, false], 1])
  })

  test('write what can wait right before their common commit, in order, and nothing of those that failed', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    await loseOne(writer)
    seen.length = 0
    const writeLater = async (name: string) => {
      const open = await writer.begin(noDeadline)
      await open.runLater(raw(`words of ${name}`))
      return open
    }
    const ends = [(await writeLater('a')).commit()]
    const failed = await writeLater('b')
    const next = writeLater('c')
    await failed.searching.all(sql`a search`)
    await failed.rollback()
    ends.push((await next).commit())
    await Promise.all(ends)
    const undone = ['SAVEPOINT one', 'words of a', 'words of b', 'ROLLBACK TO one', 'RELEASE one']
    const last = ['SAVEPOINT one', 'RELEASE one', 'words of a', 'words of c', 'COMMIT']
    assert.deepEqual(seen, ['BEGIN IMMEDIATE', ...undone, ...last])
  })

  test('that fail before they wrote anything leave alone what they share the commit with', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const committed = await writing(writer)
    const failed = await writer.begin(noDeadline)
    await failed.all(sql`SELECT 1`)
    await failed.rollback()
    await committed.end()
    assert.deepEqual(seen, ['BEGIN IMMEDIATE', 'write', 'COMMIT'])
  })

  test('that fail later take those with them that they share the commit with, which are told to begin anew', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    await loseOne(writer)
    assert.deepEqual(seen, ['BEGIN IMMEDIATE', 'write', 'write', 'ROLLBACK'])
    const again = await writing(writer)
    await again.end()
    assert.equal(seen.at(-1), 'COMMIT')
  })

  test('do so once, and for a while after that each takes only its own work back', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    await loseOne(writer)
    seen.length = 0
    for (let round = 0; round < 3; round++) {
      const committed = await writing(writer)
      const failed = await writer.begin(noDeadline)
      await failed.run(sql`write`)
      await failed.rollback()
      await committed.end()
    }
    const one = ['BEGIN IMMEDIATE', 'write', 'SAVEPOINT one', 'write', 'ROLLBACK TO one', 'RELEASE one', 'COMMIT']
    assert.deepEqual(seen, [...one, ...one, ...one])
  })

  test('take only their own work back where much would have to be done again', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const large = await writer.begin(noDeadline)
    for (let count = 0; count < 300; count++) await large.run(sql`write`)
    const committed = large.commit()
    const failed = await writer.begin(noDeadline)
    await failed.run(sql`write`)
    await failed.rollback()
    await committed
    assert.deepEqual(seen.slice(-5), ['SAVEPOINT one', 'write', 'ROLLBACK TO one', 'RELEASE one', 'COMMIT'])
  })

  test('that fail alone hold no lock any longer', async () => {
    const { connection, seen } = aConnection()
    const open = await createSqliteWriter(connection, { flush: async () => {} }).begin(noDeadline)
    await open.rollback()
    assert.equal(seen.at(-1), 'ROLLBACK')
  })

  test('all fail when their common commit does', async () => {
    const { connection, seen } = aConnection((text) => {
      if (text === 'COMMIT') throw fullDisk
    })
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const commits = await Promise.allSettled(
      ['a', 'b'].map(async () => {
        const open = await writer.begin(noDeadline)
        await open.commit()
      }),
    )
    assert.deepEqual(
      commits.map((commit) => commit.status === 'rejected' && commit.reason),
      [fullDisk, fullDisk],
    )
    assert.equal(seen.at(-1), 'ROLLBACK')
  })

  test('are told when the engine rolled them back with another', async () => {
    const { connection } = aConnection((text, state) => {
      if (text !== 'too much') return
      state.isOpen = false
      throw fullDisk
    })
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const small = await writer.begin(noDeadline)
    const committed = small.commit()
    const large = await writer.begin(noDeadline)
    await assert.rejects(large.run(sql`too much`), fullDisk)
    await Promise.all([large.rollback(), assert.rejects(committed, GroupCommitLost)])
    const next = await writer.begin(noDeadline)
    await next.commit()
  })

  test('are done before the connection is closed', async () => {
    const { connection, seen } = aConnection()
    const writer = createSqliteWriter(connection, { flush: async () => {} })
    const open = await writer.begin(noDeadline)
    const closed = writer.close()
    await open.commit()
    await closed
    assert.deepEqual(seen.slice(-2), ['COMMIT', 'close'])
  })
})

const folder = mkdtempSync(join(tmpdir(), 'quire-log-flusher-'))
after(() => rm(folder, { recursive: true }))

describe('the log of a database', () => {
  test('is flushed again and again, by whoever has committed', async () => {
    const file = join(folder, 'sound.sqlite')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)')
    const flusher = createLogFlusher(file)
    await flusher.flush()
    database.exec('INSERT INTO rows DEFAULT VALUES')
    await Promise.all([flusher.flush(), flusher.flush()])
    flusher.requireSound()
    await flusher.close()
    database.close()
  })

  test('that could not be flushed once takes no more commits', async () => {
    const file = join(folder, 'lost.sqlite')
    const database = new DatabaseSync(file)
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY)')
    await unlink(`${file}-wal`)
    const flusher = createLogFlusher(file)
    flusher.requireSound()
    const refused = { code: 'databaseUnusable', message: /lost\.sqlite.*did not reach the disk.*start the server again/ }
    await assert.rejects(flusher.flush(), refused)
    assert.throws(() => flusher.requireSound(), refused)
    await flusher.close()
    database.close()
  })
})
