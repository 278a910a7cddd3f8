import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import { silentLog } from '../../base/log.ts'
import { offTracer } from '../../base/tracing.ts'
import type { Store } from '../../store/store.ts'
import type { Repository } from '../session.ts'
import { type JobHandler, PermanentFailure, startJobWorker, startJobWorkers } from './worker.ts'

function repositoryOf(store: Store, clock = { millis: Date.parse('2030-01-01') }): Repository {
  return {
    name: 'default',
    store,
    log: silentLog,
    tracer: offTracer,
    now: () => new Date(clock.millis).toISOString(),
  } as unknown as Repository
}

onEachEngine('a job', (engine) => {
  test('is run once it is committed, and then gone', async () => {
    const store = await engine.openStore()
    const done: unknown[] = []
    const handler: JobHandler = { kind: 'note', run: async (payload) => void done.push(payload) }
    await store.transact((tx) => tx.jobs.add('note', { id: 'a' }))
    const worker = startJobWorker(repositoryOf(store), [handler])
    await worker.drain()
    await worker.stop()
    assert.deepEqual(done, [{ id: 'a' }])
    assert.deepEqual(await store.reader.jobs.list({}, 10), [])
  })

  test('is run as soon as it is committed, not when the worker happens to look', async () => {
    const store = await engine.openStore()
    const { promise: done, resolve } = Promise.withResolvers<number>()
    const worker = startJobWorker(repositoryOf(store), [{ kind: 'note', run: async () => resolve(performance.now()) }])
    await worker.drain()
    const added = performance.now()
    await store.transact((tx) => tx.jobs.add('note', {}))
    assert.ok((await done) - added < 700, 'well within the second between two looks')
    await worker.stop()
  })

  test('of an owner who has one waits for one of each other owner, and not for all of an owner who has many', async () => {
    const store = await engine.openStore()
    const done: unknown[] = []
    await store.transact(async ({ jobs }) => {
      for (const index of [1, 2, 3]) await jobs.add('note', `greedy ${index}`, { owner: 'greedy' })
      await jobs.add('note', 'nobody’s')
      for (const owner of ['ann', 'zoe']) await jobs.add('note', owner, { owner })
    })
    const worker = startJobWorker(repositoryOf(store), [{ kind: 'note', run: async (payload) => void done.push(payload) }])
    await worker.drain()
    await worker.stop()
    assert.deepEqual(done.slice(0, 3).toSorted(), ['ann', 'greedy 1', 'zoe'])
    assert.deepEqual(done.slice(4), ['greedy 2', 'greedy 3'])
  })

  test('of an owner whose others take long leaves workers of its kind to other owners', async () => {
    const store = await engine.openStore()
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const begun: unknown[] = []
    const slow: JobHandler = {
      kind: 'slow',
      ownWorkers: 4,
      async run(payload) {
        begun.push(payload)
        if (payload === 'modest') reached.resolve()
        await released.promise
      },
    }
    await store.transact(async ({ jobs }) => {
      for (let index = 0; index < 6; index++) await jobs.add('slow', 'greedy', { owner: 'greedy' })
    })
    const workers = startJobWorkers(repositoryOf(store), [slow])
    await store.transact(({ jobs }) => jobs.add('slow', 'modest', { owner: 'modest' }))
    await reached.promise
    assert.deepEqual(begun.toSorted(), ['greedy', 'greedy', 'modest'])
    released.resolve()
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('of an owner who has as many running as may be is not even looked for until one of them ends', async () => {
    const store = await engine.openStore()
    const ends: (() => void)[] = []
    let looks = 0
    const watched: Store = {
      ...store,
      transact: (body, options) => {
        looks += 1
        return store.transact(body, options)
      },
    }
    const slow: JobHandler = { kind: 'slow', ownWorkers: 2, run: () => new Promise<void>((resolve) => ends.push(resolve)) }
    const add = () => store.transact(({ jobs }) => jobs.add('slow', {}, { owner: 'greedy' }))
    const workers = startJobWorkers(repositoryOf(watched), [slow])
    await add()
    while (ends.length === 0) await new Promise(setImmediate)
    const before = looks
    for (let index = 0; index < 20; index++) await add()
    // The look that comes by itself each second may be among them.
    assert.ok(looks - before <= 1, `${looks - before} looks`)
    ends[0]?.()
    while (ends.length === 1) await new Promise(setImmediate)
    const stopped = Promise.all(workers.map((worker) => worker.stop()))
    ends[1]?.()
    await stopped
  })

  test('with workers of its own is run beside others, as many at once as it has', async () => {
    const store = await engine.openStore()
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let running = 0
    const slow: JobHandler = {
      kind: 'slow',
      ownWorkers: 2,
      async run() {
        if (++running === 2) begun.resolve()
        await released.promise
      },
    }
    const done: unknown[] = []
    const quick: JobHandler = { kind: 'quick', run: async (payload) => void done.push(payload) }
    const workers = startJobWorkers(repositoryOf(store), [slow, quick])
    await store.transact(async ({ jobs }) => {
      for (const index of [1, 2, 3]) await jobs.add('slow', index)
    })
    await begun.promise
    await store.transact((tx) => tx.jobs.add('quick', 'at once'))
    while (done.length === 0) await new Promise(setImmediate)
    assert.equal(running, 2)
    released.resolve()
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('that somebody waits for never waits for bulk work, which goes on beside it', async () => {
    const store = await engine.openStore()
    const released = Promise.withResolvers<void>()
    const done: unknown[] = []
    const handlers: readonly JobHandler[] = [
      {
        kind: 'clean',
        isBulk: true,
        async run(payload) {
          await released.promise
          done.push(payload)
        },
      },
      { kind: 'tidy', isBulk: true, run: async (payload) => void done.push(payload) },
      { kind: 'quick', run: async (payload) => void done.push(payload) },
    ]
    await store.transact(async ({ jobs }) => {
      for (const index of [1, 2, 3]) await jobs.add('clean', `bulk ${index}`, { owner: 'ann' })
      await jobs.add('tidy', 'more bulk', { owner: 'bob' })
      await jobs.add('quick', 'awaited', { owner: 'ann' })
    })
    const workers = startJobWorkers(repositoryOf(store), handlers)
    while (done.length === 0) await new Promise(setImmediate)
    assert.deepEqual(done, ['awaited'])
    released.resolve()
    while (done.length < 5) await new Promise(setImmediate)
    assert.deepEqual(done.slice(1), ['bulk 1', 'more bulk', 'bulk 2', 'bulk 3'])
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('of bulk work is run beside others of it where there are as many workers', async () => {
    const store = await engine.openStore()
    const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let running = 0
    const clean: JobHandler = {
      kind: 'clean',
      isBulk: true,
      async run() {
        if (++running === 2) begun.resolve()
        await released.promise
      },
    }
    await store.transact(async ({ jobs }) => {
      for (const owner of ['ann', 'bob', 'cid']) await jobs.add('clean', null, { owner })
    })
    const workers = startJobWorkers(repositoryOf(store), [clean], { bulkLanes: 2 })
    await begun.promise
    assert.equal(running, 2)
    released.resolve()
    await Promise.all(workers.map((worker) => worker.stop()))
  })

  test('of a transaction that rolled back is never run', async () => {
    const store = await engine.openStore()
    await assert.rejects(
      store.transact(async (tx) => {
        await tx.jobs.add('note', {})
        throw new Error('no')
      }),
    )
    assert.deepEqual(await store.reader.jobs.list({}, 10), [])
  })

  test('that would fail however often it was tried is parked at once', async () => {
    const store = await engine.openStore()
    const handler: JobHandler = {
      kind: 'fail',
      run: async () => {
        throw new PermanentFailure('no such address')
      },
    }
    await store.transact((tx) => tx.jobs.add('fail', {}))
    const worker = startJobWorker(repositoryOf(store), [handler])
    await worker.drain()
    await worker.stop()
    const [parked] = await store.reader.jobs.list({ state: 'parked' }, 10)
    assert.deepEqual([parked?.attempts, parked?.error], [1, 'no such address'])
  })

  test('is parked once that is told to who waits for it, and tried again while it cannot be told', async () => {
    const store = await engine.openStore()
    const clock = { millis: Date.parse('2030-01-01') }
    const told: unknown[] = []
    const handler: JobHandler = {
      kind: 'fail',
      maxAttempts: 1,
      run: async () => {
        throw new Error('no use')
      },
      async tellParked(payload) {
        told.push(payload)
        if (told.length === 1) throw new Error('not now')
      },
    }
    await store.transact((tx) => tx.jobs.add('fail', 'it'))
    const worker = startJobWorker(repositoryOf(store, clock), [handler])
    await worker.drain()
    assert.deepEqual([told, await store.reader.jobs.countParked()], [['it'], 0])
    clock.millis += 3_600_000
    await worker.drain()
    await worker.stop()
    assert.deepEqual([told, await store.reader.jobs.countParked()], [['it', 'it'], 1])
  })

  test('that leaves the rest to another is over in that transaction, wherever the process is killed', async () => {
    const store = await engine.openStore()
    const left: unknown[] = []
    const handler: JobHandler = {
      kind: 'chain',
      async run(payload, repository, _signal, progress) {
        if (payload === 3) return
        await repository.store.transact((tx) => progress.handOver(tx, 'chain', Number(payload) + 1))
        const jobs = await store.reader.jobs.list({}, 10)
        left.push(...jobs.map((job) => [job.payload, job.owner]))
      },
    }
    await store.transact((tx) => tx.jobs.add('chain', 1, { owner: 'ann' }))
    const worker = startJobWorker(repositoryOf(store), [handler])
    await worker.drain()
    await worker.stop()
    assert.deepEqual(left, [
      [2, 'ann'],
      [3, 'ann'],
    ])
    assert.deepEqual(await store.reader.jobs.list({}, 10), [])
  })

  test('that another worker has taken meanwhile leaves nothing to another', async () => {
    const store = await engine.openStore()
    const refusals: unknown[] = []
    const handler: JobHandler = {
      kind: 'chain',
      async run(_payload, repository, _signal, progress) {
        const [begun] = await store.reader.jobs.listBegun()
        if (begun !== undefined && refusals.length === 0) await store.transact((tx) => tx.jobs.free(begun, '2999'))
        await repository.store
          .transact((tx) => progress.handOver(tx, 'chain', 'rest'))
          .catch((error: Error) => refusals.push(error.message))
      },
    }
    await store.transact((tx) => tx.jobs.add('chain', 'all'))
    const worker = startJobWorker(repositoryOf(store), [handler])
    await worker.drain()
    await worker.stop()
    assert.match(String(refusals), /^another worker has taken job \d+/)
    assert.deepEqual(await store.reader.jobs.list({ kind: 'rest' }, 10), [])
  })

  test('that fails is tried again later, and parked with its error when it keeps failing', async () => {
    const store = await engine.openStore()
    const clock = { millis: Date.parse('2030-01-01') }
    let runs = 0
    const handler: JobHandler = {
      kind: 'fail',
      maxAttempts: 3,
      run: async () => {
        runs += 1
        throw new Error(`failure ${runs}`)
      },
    }
    await store.transact((tx) => tx.jobs.add('fail', {}, { runAfter: new Date(clock.millis).toISOString() }))
    const worker = startJobWorker(repositoryOf(store, clock), [handler])
    await worker.drain()
    assert.equal(runs, 1)
    await worker.drain()
    assert.equal(runs, 1, 'not before its time')
    for (let round = 0; round < 5; round++) {
      clock.millis += 3_600_000
      await worker.drain()
    }
    await worker.stop()
    assert.equal(runs, 3)
    const [parked] = await store.reader.jobs.list({ state: 'parked' }, 10)
    assert.equal(parked?.error, 'failure 3')
  })

  test('is run by one of two workers only', async () => {
    const store = await engine.openStore()
    const done: unknown[] = []
    const handler: JobHandler = { kind: 'note', run: async (payload) => void done.push(payload) }
    await store.transact(async (tx) => {
      for (let index = 0; index < 20; index++) await tx.jobs.add('note', { index })
    })
    const workers = [startJobWorker(repositoryOf(store), [handler]), startJobWorker(repositoryOf(store), [handler])]
    await Promise.all(workers.map((worker) => worker.drain()))
    await Promise.all(workers.map((worker) => worker.stop()))
    assert.equal(done.length, 20)
    assert.equal(new Set(done.map((payload) => JSON.stringify(payload))).size, 20)
  })
})

test('a worker says once that its queue does not answer, and again when it had answered in between', async () => {
  let isAway = true
  const said: unknown[] = []
  const log = { ...silentLog, error: (facts: unknown) => void said.push(facts) }
  const isAnyDue = async () => {
    if (isAway) throw new Error('away')
    return false
  }
  const repository = { ...repositoryOf({ onJobsAdded: () => () => {} } as unknown as Store), log }
  const worker = startJobWorker(repository, [{ kind: 'note', run: async () => {} }], { lanes: 3, isAnyDue })
  for (let look = 0; look < 3; look++) await worker.drain().catch(() => {})
  assert.equal(said.length, 1)
  isAway = false
  await worker.drain()
  isAway = true
  await worker.drain().catch(() => {})
  assert.equal(said.length, 2)
  await worker.stop()
})
