import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import sql, { raw, type Sql } from 'sql-template-tag'
import { databaseUnusable, searchUnavailable, tooManySearches } from '../../problems.ts'
import type { SqlRow, SqlStatement } from '../../sql/connection.ts'
import { openSqliteConnection } from '../sqlite-connection.ts'
import { OutOfTime } from '../sqlite-errors.ts'
import { createSearchPool, type SearchPool } from './search-pool.ts'
import { type SearchProcess, startSearchProcess } from './search-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'quire-search-pool-'))
const file = join(folder, 'test.sqlite')
let writing: Awaited<ReturnType<typeof openSqliteConnection>>
before(async () => {
  writing = await openSqliteConnection(file, 'write')
  await writing.run(sql`CREATE TABLE numbers (number INTEGER)`)
})
after(async () => {
  writing.close()
  await rm(folder, { recursive: true })
})

const endless = (condition: Sql) => sql`
  WITH RECURSIVE counted(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE ${condition})
  SELECT count(*) FROM counted`
const askingForTheTime = endless(raw('in_time(number)'))
const neverAsking = endless(raw('number > 0'))

/** Runs the body with a pool and gives what it started. */
async function withPool(max: number, body: (pool: SearchPool, started: readonly SearchProcess[]) => Promise<void>) {
  const started: SearchProcess[] = []
  const pool = createSearchPool(file, { processes: max }, (name) => {
    const process = startSearchProcess(name)
    started.push(process)
    return process
  })
  try {
    await body(pool, started)
  } finally {
    await pool.close()
  }
}

async function rowsWithin(pool: SearchPool, milliseconds: number, statement: SqlStatement): Promise<readonly SqlRow[]> {
  return (await pool.searchWithin(milliseconds, statement)).rows
}

describe('a search process', () => {
  test('is started when there is something to search, and finds what was committed before it was asked', () =>
    withPool(2, async (pool, started) => {
      assert.deepEqual([started.length, pool.processes], [0, 0])
      for (let round = 1; round <= 20; round++) {
        await writing.run(sql`INSERT INTO numbers VALUES (${round})`)
        assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT max(number), ${'é'}, null FROM numbers`), [[round, 'é', null]])
      }
      assert.deepEqual([started.length, pool.processes, pool.waiting], [1, 1, 0])
    }))

  test('cannot write', () =>
    withPool(1, async (pool) => {
      await assert.rejects(rowsWithin(pool, 5_000, sql`INSERT INTO numbers VALUES (7)`), databaseUnusable.is)
    }))

  test('tells what is wrong with a statement and goes on', () =>
    withPool(1, async (pool, started) => {
      await assert.rejects(rowsWithin(pool, 5_000, sql`SELECT missing FROM numbers`), /no such column: missing/)
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 1`), [[1]])
      assert.equal(started.length, 1)
    }))

  test('stops a search whose time is over and goes on', () =>
    withPool(1, async (pool, started) => {
      await assert.rejects(rowsWithin(pool, 50, askingForTheTime), OutOfTime)
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 1`), [[1]])
      assert.equal(started.length, 1)
    }))

  test('that does not stop by itself is ended, and another takes its place', () =>
    withPool(1, async (pool, started) => {
      await assert.rejects(rowsWithin(pool, 50, neverAsking), OutOfTime)
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 1`), [[1]])
      assert.equal(started.length, 2)
      assert.equal(isAlive(started[0]?.processId), false)
    }))

  test('that dies is replaced for its search, and when that one dies too, the search fails and no other', () =>
    withPool(1, async (pool, started) => {
      const failing = assert.rejects(rowsWithin(pool, 60_000, neverAsking), searchUnavailable.is)
      const next = rowsWithin(pool, 60_000, sql`SELECT 1`)
      for (const number of [0, 1]) {
        await until(() => started.length > number)
        await delay(300)
        process.kill(started[number]?.processId as number, 'SIGKILL')
      }
      await failing
      assert.deepEqual(await next, [[1]])
    }))

  test('that dies once is not felt by the caller', () =>
    withPool(1, async (pool, started) => {
      const found = rowsWithin(pool, 5_000, sql`SELECT max(number) IS NOT NULL FROM numbers`)
      await until(() => started.length === 1)
      process.kill(started[0]?.processId as number, 'SIGKILL')
      assert.deepEqual(await found, [[1]])
      assert.equal(started.length, 2)
    }))

  test('that cannot be started fails its search, and the next one is tried anew', async () => {
    const { execPath } = process
    await withPool(1, async (pool) => {
      process.execPath = join(folder, 'replaced')
      try {
        await assert.rejects(rowsWithin(pool, 5_000, sql`SELECT 1`), searchUnavailable.is)
      } finally {
        process.execPath = execPath
      }
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 1`), [[1]])
    })
  })

  test('that died while it had nothing to do is not asked any more', () =>
    withPool(1, async (pool, started) => {
      await rowsWithin(pool, 5_000, sql`SELECT 1`)
      process.kill(started[0]?.processId as number, 'SIGKILL')
      await until(() => started[0]?.isRunning() === false)
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 2`), [[2]])
    }))

  test('lets a signal to all processes of a server pass', () =>
    withPool(1, async (pool, started) => {
      await rowsWithin(pool, 5_000, sql`SELECT 1`)
      for (const signal of ['SIGINT', 'SIGTERM']) process.kill(started[0]?.processId as number, signal)
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 2`), [[2]])
      assert.equal(started.length, 1)
    }))
})

describe('long searches', () => {
  test('run side by side in as many processes as there may be, the others in the order they came', () =>
    withPool(2, async (pool, started) => {
      const seen: string[] = []
      const search = async (name: string, statement: Sql, milliseconds = 5_000) => {
        await rowsWithin(pool, milliseconds, statement).catch(() => {})
        seen.push(name)
      }
      await Promise.all([rowsWithin(pool, 5_000, sql`SELECT 1`), rowsWithin(pool, 5_000, sql`SELECT 1`)])
      await Promise.all([search('long', askingForTheTime, 800), ...['a', 'b', 'c'].map((name) => search(name, sql`SELECT 1`))])
      assert.deepEqual(seen, ['a', 'b', 'c', 'long'])
      assert.equal(started.length, 2)
    }))

  test('that would wait for longer than a search may take are refused', () =>
    withPool(1, async (pool) => {
      await rowsWithin(pool, 5_000, sql`SELECT 1`)
      const long = assert.rejects(rowsWithin(pool, 500, askingForTheTime), OutOfTime)
      await assert.rejects(rowsWithin(pool, 50, sql`SELECT 1`), tooManySearches.is)
      await long
      assert.deepEqual(await rowsWithin(pool, 5_000, sql`SELECT 1`), [[1]])
    }))

  test('end with their pool, and none comes after', () =>
    withPool(1, async (pool, started) => {
      const running = assert.rejects(rowsWithin(pool, 60_000, neverAsking), /closed/)
      const waiting = assert.rejects(rowsWithin(pool, 60_000, sql`SELECT 1`), /closed/)
      await until(() => started.length === 1)
      await delay(300)
      await pool.close()
      assert.equal(isAlive(started[0]?.processId), false)
      await Promise.all([running, waiting])
    }))
})

describe('a server', () => {
  test('that has nothing else to do ends, though it has search processes', async () => {
    const { exited } = await serverThat('await rowsWithin(pool, 5000, raw(`SELECT 1`)); say()')
    assert.deepEqual(await exited, [0, null])
  })

  test('that waits for a search does not end before', async () => {
    const { exited } = await serverThat('await rowsWithin(pool, 300, raw(long)).catch(() => {}); say()')
    assert.deepEqual(await exited, [0, null])
  })

  test('that has no descriptor left says so to the caller, and goes on when there are some', async () => {
    const { exited, said } = await serverThat(`
      const { openSync, closeSync } = await import('node:fs')
      const taken = []
      try { for (;;) taken.push(openSync('/dev/null')) } catch {}
      const refused = await rowsWithin(pool, 5000, raw('SELECT 1')).then(() => 'found', (error) => error.code)
      for (const descriptor of taken) closeSync(descriptor)
      const [[found]] = await rowsWithin(pool, 5000, raw('SELECT 1'))
      console.log(refused + ' ' + found)`)
    assert.deepEqual([said.trim(), await exited], ['searchUnavailable 1', [0, null]])
  })

  test('that is killed leaves no search behind', async () => {
    const server = await serverThat('setTimeout(say, 500); await rowsWithin(pool, 1000, raw(long))')
    server.child.kill('SIGKILL')
    assert.equal(isAlive(server.searchProcess), true)
    await until(() => !isAlive(server.searchProcess))
  })
})

/** A program of its own with a pool that does this, once it has told of its search process. */
async function serverThat(does: string) {
  const program = join(folder, `${Math.random()}.mjs`)
  const moduleAt = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  await writeFile(
    program,
    `import { createSearchPool } from ${moduleAt('./search-pool.ts')}
     import { startSearchProcess } from ${moduleAt('./search-process.ts')}
     const raw = (sql) => ({ sql, text: sql, values: [] })
     const long = ${JSON.stringify(askingForTheTime.sql)}
     const say = () => console.log(started.processId)
     const rowsWithin = async (pool, ...search) => (await pool.searchWithin(...search)).rows
     let started
     const pool = createSearchPool(${JSON.stringify(file)}, { processes: 1 }, (name) => started = startSearchProcess(name))
     ${does}`,
  )
  const child = spawn('sh', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [said] = await once(child.stdout, 'data')
  return { child, exited, said: String(said), searchProcess: Number(said) }
}

function isAlive(processId: number | undefined): boolean {
  try {
    return process.kill(processId as number, 0)
  } catch {
    return false
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; !isSo(); round++) {
    assert.ok(round < 500, `${isSo} does not become true`)
    await delay(10)
  }
}
