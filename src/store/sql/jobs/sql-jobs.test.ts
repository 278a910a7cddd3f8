import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import type { BegunJob, Job } from '../../jobs.ts'
import type { Store } from '../../store.ts'

const noon = '2024-06-01T12:00:00.000Z'
const soon = '2024-06-01T12:00:30.000Z'
const tomorrow = '2024-06-02T12:00:00.000Z'

onEachEngine('jobs', (engine) => {
  const claim = (store: Store, now = noon, kinds = ['mail', 'text']) => store.transact((tx) => tx.jobs.claim(kinds, now))
  const add = (store: Store, kind: string, payload: object, runAfter?: string) =>
    store.transact((tx) => tx.jobs.add(kind, payload as Job['payload'], runAfter === undefined ? {} : { runAfter }))

  test('are taken in the order they came, each once, and only the kinds asked for', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', { to: 'alice', big: 9007199254740993n })
    await add(store, 'other', {})
    await add(store, 'text', { id: 2 })
    const first = await claim(store)
    assert.deepEqual(
      [first?.kind, first?.payload, first?.attempts, first?.state],
      ['mail', { to: 'alice', big: 9007199254740993n }, 1, 'running'],
    )
    assert.equal((await claim(store))?.kind, 'text')
    assert.equal(await claim(store), undefined)
    assert.equal(await store.transact((tx) => tx.jobs.claim([], noon)), undefined)
  })

  test('of one owner run only so many at once, also when workers claim at the same moment', async () => {
    const store = await engine.openStore()
    const claimOne = () => store.transact((tx) => tx.jobs.claim(['mail'], noon, { maxConcurrent: 2 }))
    await store.transact(async ({ jobs }) => {
      for (let index = 0; index < 20; index++) await jobs.add('mail', index, { owner: 'greedy' })
    })
    for (let round = 0; round < 10; round++) {
      const claimed = (await Promise.all(Array.from({ length: 6 }, claimOne))).filter((job) => job !== undefined)
      assert.equal(claimed.length, 2)
      await store.transact(async ({ jobs }) => {
        for (const { id } of claimed) await jobs.finish(id)
      })
    }
  })

  test('are looked for by the kinds that a worker could take now', async () => {
    const store = await engine.openStore()
    const look = (now = noon) => store.reader.jobs.listDueKinds(now)
    assert.deepEqual(await look(), new Set())
    await add(store, 'mail', {})
    await add(store, 'text', {}, soon)
    await add(store, 'other', {})
    await claim(store, noon, ['other'])
    assert.deepEqual(await look(), new Set(['mail']))
    assert.deepEqual(await look(tomorrow), new Set(['mail', 'text']))
  })

  test('are looked for by kind behind a thousand others', async () => {
    const store = await engine.openStore()
    await store.transact(async ({ jobs }) => {
      for (let index = 0; index < 1_000; index++) await jobs.add('mail', index, { owner: 'ann' })
      await jobs.add('text', {}, { owner: 'ann' })
    })
    assert.deepEqual(await store.reader.jobs.listDueKinds(noon), new Set(['mail', 'text']))
    assert.equal((await claim(store, noon, ['text']))?.kind, 'text')
    assert.deepEqual(await store.reader.jobs.listDueKinds(noon), new Set(['mail']))
  })

  test('wait for their time', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {}, soon)
    assert.equal(await claim(store, noon), undefined)
    assert.equal((await claim(store, soon))?.runAfter, soon)
  })

  test('stay with the worker that took them, whatever the clock says, until they are freed', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {})
    const first = await claim(store)
    assert.equal(await claim(store, tomorrow), undefined)
    const [begun] = (await store.reader.jobs.listBegun()) as [BegunJob]
    assert.equal(await store.transact((tx) => tx.jobs.free(begun, noon)), true)
    const again = await claim(store)
    assert.deepEqual([again?.id, again?.attempts], [first?.id, 2])
  })

  test('are not freed once their worker has given another sign of life', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {})
    const first = (await claim(store)) as Job
    const [begun] = (await store.reader.jobs.listBegun()) as [BegunJob]
    await store.transact((tx) => tx.jobs.renew(first, soon))
    assert.equal(await store.transact((tx) => tx.jobs.free(begun, noon)), false)
    assert.equal(await claim(store, tomorrow), undefined)
  })

  test('are not touched any more by the worker that had them before', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {})
    const first = (await claim(store)) as Job
    const [begun] = (await store.reader.jobs.listBegun()) as [BegunJob]
    await store.transact((tx) => tx.jobs.free(begun, noon))
    await claim(store)
    const before = await store.reader.jobs.listBegun()
    await store.transact(async (tx) => {
      await tx.jobs.renew(first, soon)
      await tx.jobs.retry(first, soon, 'late')
      await tx.jobs.park(first, 'late')
    })
    assert.deepEqual(await store.reader.jobs.listBegun(), before)
  })

  test('that were put off are not brought forward by a sign of life', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {})
    const first = (await claim(store)) as Job
    await store.transact((tx) => tx.jobs.retry(first, tomorrow, 'later'))
    await store.transact((tx) => tx.jobs.renew(first, noon))
    assert.equal(await claim(store, soon), undefined)
  })

  test('are listed as begun while they run or are put off, not before and not after', async () => {
    const store = await engine.openStore()
    for (const index of [1, 2, 3, 4]) await add(store, 'mail', { index })
    const [running, failed, hopeless] = [await claim(store), await claim(store), await claim(store)] as [Job, Job, Job]
    await store.transact(async (tx) => {
      await tx.jobs.retry(failed, tomorrow, 'no answer')
      await tx.jobs.park(hopeless, 'never')
    })
    const begun = await store.reader.jobs.listBegun()
    assert.deepEqual(
      begun.map(({ id, state }) => [id, state]),
      [
        [running.id, 'running'],
        [failed.id, 'waiting'],
      ],
    )
  })

  test('are counted by their kinds', async () => {
    const store = await engine.openStore()
    await add(store, 'mail', {})
    await add(store, 'text', {})
    await add(store, 'text', {}, tomorrow)
    const counts = [['mail'], ['text', 'mail'], ['other'], []].map((kinds) => store.reader.jobs.countPending(noon, kinds))
    assert.deepEqual(await Promise.all(counts), [1, 2, 0, 0])
    assert.equal(await store.reader.jobs.countPending(noon), 2)
  })

  test('are gone when finished, come back when to be retried, and stay away when parked', async () => {
    const store = await engine.openStore()
    for (const index of [1, 2, 3]) await add(store, 'mail', { index })
    const [done, failed, hopeless] = [await claim(store), await claim(store), await claim(store)] as [Job, Job, Job]
    await store.transact(async (tx) => {
      await tx.jobs.finish(done.id)
      await tx.jobs.retry(failed, soon, 'no answer\0')
      await tx.jobs.park(hopeless, 'never')
    })
    const listed = await store.reader.jobs.list({}, 10)
    assert.deepEqual(
      listed.map(({ id, state, error }) => [id, state, error]),
      [
        [failed.id, 'waiting', 'no answer\ufffd'],
        [hopeless.id, 'parked', 'never'],
      ],
    )
    assert.equal((await claim(store, tomorrow))?.id, failed.id)
    assert.equal(await claim(store, noon), undefined)
    assert.deepEqual(
      (await store.reader.jobs.list({ state: 'parked', kind: 'mail' }, 10)).map(({ id }) => id),
      [hopeless.id],
    )
    assert.equal((await store.reader.jobs.list({ kind: 'text' }, 10)).length, 0)
    assert.equal((await store.reader.jobs.list({}, 1)).length, 1)
  })

  test('that were parked are tried anew or removed, each by its kind', async () => {
    const store = await engine.openStore()
    for (const index of [1, 2]) await add(store, 'mail', { index })
    const [first, second] = [await claim(store), await claim(store)] as [Job, Job]
    assert.equal(await store.transact((tx) => tx.jobs.resume('mail', first.id)), false, 'it is running')
    await store.transact(async (tx) => {
      await tx.jobs.park(first, 'never')
      await tx.jobs.park(second, 'never')
    })
    assert.deepEqual([await store.reader.jobs.countParked('mail'), await store.reader.jobs.countParked('text')], [2, 0])
    assert.equal(await store.transact((tx) => tx.jobs.discard('text', first.id)), false)
    assert.equal(await store.transact((tx) => tx.jobs.discard('mail', first.id)), true)
    assert.equal(await store.transact((tx) => tx.jobs.resume('text', second.id)), false)
    assert.equal(await store.transact((tx) => tx.jobs.resume('mail', second.id)), true)
    assert.equal(await store.transact((tx) => tx.jobs.resume('mail', second.id)), false)
    const again = await claim(store)
    assert.deepEqual([again?.id, again?.attempts], [second.id, 1])
    assert.equal(await store.reader.jobs.countParked(), 0)
  })

  test('are pending while due, running or failed, not when planned for later or parked', async () => {
    const store = await engine.openStore()
    const pending = () => store.reader.jobs.countPending(noon)
    await add(store, 'mail', {}, tomorrow)
    assert.equal(await pending(), 0)
    await add(store, 'text', {})
    assert.equal(await pending(), 1)
    const job = (await claim(store)) as Job
    assert.equal(await pending(), 1)
    await store.transact((tx) => tx.jobs.retry(job, soon, 'failed'))
    assert.equal(await pending(), 1)
    await store.transact((tx) => tx.jobs.park(job, 'failed'))
    assert.equal(await pending(), 0)
  })

  test('are found by their ids until they are finished, and counted when they are given up', async () => {
    const store = await engine.openStore()
    for (const kind of ['mail', 'text', 'mail']) await add(store, kind, {})
    const ids = (await store.reader.jobs.list({}, 10)).map(({ id }) => id)
    const [first = '', second = ''] = ids
    await store.transact(async (tx) => {
      await tx.jobs.finish(first)
      await tx.jobs.park({ id: second, attempts: 0 }, 'no use')
    })
    const found = await store.reader.jobs.findAll(ids)
    assert.deepEqual(
      found.map(({ kind, state, error }) => [kind, state, error]),
      [
        ['text', 'parked', 'no use'],
        ['mail', 'waiting', null],
      ],
    )
    assert.deepEqual(await store.reader.jobs.findAll([]), [])
    assert.equal(await store.reader.jobs.countParked(), 1)
  })

  test('go to one worker each when many ask at once from several processes', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as const
    await stores[0].transact(async (tx) => {
      for (let index = 0; index < 30; index += 1) await tx.jobs.add('mail', { index })
    })
    const claimed = await Promise.all(Array.from({ length: 40 }, (_, index) => claim(stores[index % 2] as Store)))
    const ids = claimed.flatMap((job) => job?.id ?? [])
    assert.equal(ids.length, 30)
    assert.equal(new Set(ids).size, 30)
  })
})
