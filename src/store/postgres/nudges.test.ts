import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freshPostgresSchema } from '../../../test/support/postgres.ts'
import { silentLog } from '../../base/log.ts'
import { createNudges, type Nudges } from './nudges.ts'

describe('nudges between processes on PostgreSQL', () => {
  const open: { readonly nudges: Nudges; readonly client: pg.Client }[] = []
  afterEach(async () => {
    for (const { nudges, client } of open.splice(0)) {
      await nudges.end()
      await client.end()
    }
  })
  const join = async ({ url, schema }: { readonly url: string; readonly schema: string }) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    let sent = 0
    const connection = {
      async all({ text, values }: { readonly text: string; readonly values: unknown[] }) {
        sent += 1
        return (await client.query({ text, values, rowMode: 'array' })).rows
      },
    }
    const nudges = createNudges({ url, schema, connection, log: silentLog })
    open.push({ nudges, client })
    return { nudges, sent: () => sent }
  }
  /** Counts what is heard. The first comes by itself, once it hears anything. */
  const listening = async ({ nudges }: { readonly nudges: Nudges }) => {
    const heard = { count: 0, leave: () => {} }
    heard.leave = nudges.listen(() => {
      heard.count += 1
    })
    await until(() => heard.count > 0)
    return heard
  }
  const until = async (isSo: () => boolean) => {
    for (const giveUpAt = performance.now() + 60_000; !isSo(); await pause(5))
      assert.ok(performance.now() < giveUpAt, 'It does not happen.')
  }

  test('come to all others on the schema, and to nobody else', async () => {
    const [here, elsewhere] = [await freshPostgresSchema(), await freshPostgresSchema()]
    const [one, other, third, stranger] = [await join(here), await join(here), await join(here), await join(elsewhere)]
    const heard = [await listening(one), await listening(other), await listening(third), await listening(stranger)]
    one.nudges.send()
    await until(() => heard[1]?.count === 2 && heard[2]?.count === 2)
    // What comes after it on the same connection tells that all before it came.
    third.nudges.send()
    await until(() => heard[0]?.count === 2 && heard[1]?.count === 3)
    assert.deepEqual(
      heard.map(({ count }) => count),
      [2, 3, 2, 1],
    )
  })

  test('are few, however often a process commits, and the last commit is told of', async () => {
    const place = await freshPostgresSchema()
    const [one, other] = [await join(place), await join(place)]
    const heard = await listening(other)
    for (let count = 0; count < 1_000; count += 1) one.nudges.send()
    await until(() => heard.count === 3)
    assert.equal(one.sent(), 2)
  })

  test('are heard again after the connection broke', async () => {
    const place = await freshPostgresSchema()
    const [one, other] = [await join(place), await join(place)]
    const heard = await listening(other)
    const killer = new pg.Client({ connectionString: place.url })
    await killer.connect()
    const named = [`quire listens to ${place.schema}`]
    await killer.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', named)
    await killer.end()
    // It tells when it hears again, as something may have happened meanwhile.
    await until(() => heard.count >= 2)
    const before = heard.count
    one.nudges.send()
    await until(() => heard.count > before)
  })

  test('need a connection only while somebody listens', async () => {
    const place = await freshPostgresSchema()
    const [one, other] = [await join(place), await join(place)]
    const heard = await listening(other)
    heard.leave()
    one.nudges.send()
    const again = await listening(other)
    const before = again.count
    one.nudges.send()
    await until(() => again.count > before)
    assert.equal(heard.count, 1)
  })
})
