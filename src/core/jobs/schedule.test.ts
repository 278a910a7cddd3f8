import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { aRepository } from '../../../test/support/rendering.ts'
import type { Log } from '../../base/log.ts'
import type { Store } from '../../store/store.ts'
import type { Repository } from '../session.ts'
import { runIfDue, type Schedule, startSchedules } from './schedule.ts'

const start = Date.parse('2031-01-01T00:00:00.000Z')
const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString()

function repositoryAt(store: Store, seconds: number, log?: Log): Repository {
  return { ...aRepository(store, { now: at(seconds) }), ...(log && { log }) }
}

function recording(): Schedule & { readonly runs: string[] } {
  const runs: string[] = []
  return {
    name: 'record',
    everySeconds: 300,
    runs,
    run: async (session, { since }) => void runs.push(`${since} ${session.now}`),
  }
}

onEachEngine('scheduled work', (engine) => {
  test('is done at the first look, and then once an interval', async () => {
    const store = await engine.openStore()
    const schedule = recording()
    for (const seconds of [0, 1, 150, 300, 301, 600]) await runIfDue(repositoryAt(store, seconds), schedule)
    assert.deepEqual(schedule.runs, [`${at(0)} ${at(0)}`, `${at(0)} ${at(300)}`, `${at(300)} ${at(600)}`])
  })

  test('is done in its time again when the clock was set back, and told of no time that is yet to come', async () => {
    const store = await engine.openStore()
    const schedule = recording()
    for (const seconds of [90_000, 100, 400]) await runIfDue(repositoryAt(store, seconds), schedule)
    assert.deepEqual(schedule.runs, [`${at(90_000)} ${at(90_000)}`, `${at(100)} ${at(100)}`, `${at(100)} ${at(400)}`])
  })

  test('is told how long ago it was last done, be it days', async () => {
    const store = await engine.openStore()
    const schedule = recording()
    await runIfDue(repositoryAt(store, 0), schedule)
    await runIfDue(repositoryAt(store, 300_000), schedule)
    assert.equal(schedule.runs[1], `${at(0)} ${at(300_000)}`)
  })

  test('is done by one of several processes only', async () => {
    const database = await engine.createDatabase()
    const stores = await Promise.all(Array.from({ length: 3 }, () => database.open()))
    const counted = 'turn'
    const schedule: Schedule = {
      name: 'count',
      everySeconds: 300,
      run: async ({ tx, now }) => {
        const count = (await tx.transient.find(counted, now)) ?? 0
        await tx.transient.set(counted, Number(count) + 1, '9999-12-31T00:00:00.000Z')
      },
    }
    await Promise.all(stores.map((store) => runIfDue(repositoryAt(store, 0), schedule)))
    assert.equal(await stores[0]?.reader.transient.find(counted, at(0)), 1)
  })

  test('that is for all repositories together is done in the first of them alone', async () => {
    const store = await engine.openStore()
    const first = aRepository(store, { now: at(0) })
    const [shared, own] = [
      { ...recording(), isShared: true },
      { ...recording(), name: 'own' },
    ]
    await startSchedules({ ...first, home: first }, [shared, own])()
    assert.deepEqual([shared.runs.length, own.runs.length], [0, 1])
    await startSchedules(first, [shared])()
    assert.equal(shared.runs.length, 1)
  })

  test('that fails leaves nothing behind, is reported, and may run again at once', async () => {
    const store = await engine.openStore()
    const reported: unknown[] = []
    const keep = (fields: object) => void reported.push(fields)
    const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
    const failing: Schedule = {
      name: 'record',
      everySeconds: 300,
      async run({ tx }) {
        await tx.jobs.add('never', {})
        throw new Error('no')
      },
    }
    const end = startSchedules(repositoryAt(store, 0, log), [failing])
    await end()
    assert.equal(reported.length, 1)
    assert.deepEqual(await store.reader.jobs.list({}, 10), [])
    const schedule = recording()
    await runIfDue(repositoryAt(store, 1), schedule)
    assert.equal(schedule.runs.length, 1)
  })
})
