import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { silentLog } from '../../base/log.ts'
import { offTracer } from '../../base/tracing.ts'
import type { BegunJob, Job } from '../../store/jobs.ts'
import type { Store } from '../../store/store.ts'
import type { Repository } from '../session.ts'
import { createSilenceWatch, findPutOffTooLong, freeAllRunning, type TellParked } from './abandoned-jobs.ts'

const noon = '2030-01-01T12:00:00.000Z'
const running = (id: string, due: string): BegunJob => ({ id, attempts: 1, state: 'running', due })

describe('a job whose worker gives no sign of life', () => {
  test('is found after some looks, and not while the sign changes, be it to an earlier time', () => {
    const look = createSilenceWatch()
    const found: string[][] = []
    for (let count = 0; count < 8; count++) {
      const alive = running('alive', `2030-01-01T00:00:${20 - count}.000Z`)
      found.push(look([running('dead', noon), alive]).map(({ id }) => id))
    }
    assert.deepEqual(found, [[], [], [], [], [], ['dead'], ['dead'], ['dead']])
  })

  test('is watched from the beginning again once another has taken it', () => {
    const look = createSilenceWatch()
    for (let count = 0; count < 5; count++) look([running('a', noon)])
    assert.deepEqual(look([{ ...running('a', noon), attempts: 2 }]), [])
  })
})

describe('a job that failed', () => {
  const waiting = (due: string): BegunJob => ({ id: 'a', attempts: 3, state: 'waiting', due })

  test('waits for its time', () => assert.deepEqual(findPutOffTooLong([waiting('2030-01-01T12:00:08.000Z')], noon), []))

  test('does not wait for a time that only a clock which was ahead can have meant', () => {
    const late = waiting('2030-01-01T13:00:00.000Z')
    assert.deepEqual(findPutOffTooLong([late], noon), [late])
  })
})

onEachEngine('jobs of processes that died', (engine) => {
  const repositoryOf = (store: Store) =>
    ({ name: 'default', store, log: silentLog, tracer: offTracer, now: () => noon }) as unknown as Repository

  async function dyingWith(store: Store, times: number, tellParked: TellParked = async () => true) {
    for (let time = 0; time < times; time++) {
      await store.transact((tx) => tx.jobs.claim(['mail'], '9999'))
      await freeAllRunning(repositoryOf(store), tellParked)
    }
  }

  test('are due at once again', async () => {
    const store = await engine.openStore()
    await store.transact((tx) => tx.jobs.add('mail', {}))
    await dyingWith(store, 1)
    assert.equal((await store.transact((tx) => tx.jobs.claim(['mail'], noon)))?.attempts, 2)
  })

  test('come ever later and are parked at last when it may be they who kill', async () => {
    const store = await engine.openStore()
    await store.transact((tx) => tx.jobs.add('mail', {}))
    await dyingWith(store, 3)
    assert.equal(await store.transact((tx) => tx.jobs.claim(['mail'], noon)), undefined)
    await dyingWith(store, 5)
    assert.equal(await store.reader.jobs.countParked(), 1)
  })

  test('are parked once it is told to who waits for them, and not while that cannot be told', async () => {
    const store = await engine.openStore()
    const told: Job['payload'][] = []
    await store.transact((tx) => tx.jobs.add('mail', { id: 'a' }))
    await dyingWith(store, 8, async ({ payload }) => {
      told.push(payload)
      return told.length > 1
    })
    assert.deepEqual([told, await store.reader.jobs.countParked()], [[{ id: 'a' }], 0])
    await freeAllRunning(repositoryOf(store), async ({ payload }) => told.push(payload) > 1)
    assert.deepEqual([told.length, await store.reader.jobs.countParked()], [2, 1])
  })
})
