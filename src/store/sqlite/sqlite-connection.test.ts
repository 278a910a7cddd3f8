import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { raw, type Sql } from 'sql-template-tag'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { OutOfTime } from './sqlite-errors.ts'

let connection: SqliteConnection
before(async () => {
  connection = await openSqliteConnection(':memory:', 'write')
})
after(() => connection.close())

/** Looks at so many rows, and asks for the time with each. */
const looking = (rows: number): Sql =>
  raw(`
  WITH RECURSIVE counted(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM counted WHERE number < ${rows})
  SELECT count(*) FROM counted WHERE in_time(number)`)

/** Whenever the clock on the wall is looked at, others have had the processor for so long. */
function descheduled(context: TestContext, milliseconds: number): void {
  const { now } = performance
  let away = 0
  performance.now = () => {
    away += milliseconds
    return now.call(performance) + away
  }
  context.after(() => {
    performance.now = now
  })
}

describe('a statement that has to be brief', () => {
  test('may take as long as the processor takes for it, however busy the machine is', async (context) => {
    descheduled(context, 0.05)
    assert.deepEqual(await connection.allBriefly(100, looking(10_000)), [[10_000]])
    await assert.rejects(connection.allWithin(100, looking(10_000)), OutOfTime)
  })

  test('is stopped when it has had the processor for so long', async () => {
    const earlier = process.threadCpuUsage()
    await assert.rejects(connection.allBriefly(5, looking(1e9)), OutOfTime)
    const { user, system } = process.threadCpuUsage(earlier)
    assert.ok(user + system < 100_000, `${user + system} µs`)
  })

  test('is stopped when ten times as much is over, for then it waits for the disk', async (context) => {
    descheduled(context, 0.2)
    await assert.rejects(connection.allBriefly(100, looking(10_000)), OutOfTime)
  })

  test('leaves the time of the next one alone', async () => {
    assert.deepEqual(await connection.allWithin(60_000, looking(1_000)), [[1_000]])
    assert.deepEqual(await connection.all(looking(1_000)), [[1_000]])
  })
})
