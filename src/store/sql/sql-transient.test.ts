import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachEngine } from '../../../test/support/engines.ts'
import type { Store } from '../store.ts'

const noon = '2024-06-01T12:00:00.000Z'
const later = '2024-06-01T13:00:00.000Z'
const evening = '2024-06-01T20:00:00.000Z'

onEachEngine('transient values', (engine) => {
  test('are there until they expire', async () => {
    const store = await engine.openStore()
    await store.transact((tx) => tx.transient.set('key', { list: [1, 'ä', null], long: 9007199254740993n }, later))
    assert.deepEqual(await store.reader.transient.find('key', noon), { list: [1, 'ä', null], long: 9007199254740993n })
    assert.equal(await store.reader.transient.find('key', later), undefined)
    assert.equal(await store.reader.transient.find('other', noon), undefined)
  })

  test('are not there under keys that cannot be stored', async () => {
    const store = await engine.openStore()
    for (const key of ['\u0000', 'a\ud800']) assert.equal(await store.reader.transient.find(key, noon), undefined)
    assert.deepEqual(await store.reader.transient.findAll(['\u0000', 'a\ud800'], noon), [])
  })

  test('are found several at once, but for those that are not there or have expired', async () => {
    const store = await engine.openStore()
    await store.transact(async ({ transient }) => {
      for (const key of ['a', 'b', 'c']) await transient.set(key, { key }, key === 'b' ? noon : later)
    })
    const found = await store.reader.transient.findAll(['c', 'b', 'nobody', 'a'], noon)
    assert.deepEqual(
      found.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
      ['a', 'c'].map((key) => ({ key, value: { key } })),
    )
    assert.deepEqual(await store.reader.transient.findAll([], noon), [])
  })

  test('are replaced by set, but not by add while they live', async () => {
    const store = await engine.openStore()
    const add = (value: string, now: string) => store.transact((tx) => tx.transient.add('key', value, evening, now))
    await store.transact((tx) => tx.transient.set('key', 'first', later))
    await store.transact((tx) => tx.transient.set('key', 'second', later))
    assert.equal(await add('third', noon), false)
    assert.equal(await store.reader.transient.find('key', noon), 'second')
    assert.equal(await add('fourth', later), true)
    assert.equal(await store.reader.transient.find('key', later), 'fourth')
  })

  describe('that are leases', () => {
    const at = (seconds: number) => new Date(Date.parse(noon) + seconds * 1_000).toISOString()
    const lease = (store: Store, seconds: number) => store.transact((tx) => tx.transient.lease('key', 60, at(seconds)))

    test('are one holder’s until they end', async () => {
      const store = await engine.openStore()
      const taken: boolean[] = []
      for (const seconds of [0, 1, 59, 60, 61]) taken.push(await lease(store, seconds))
      assert.deepEqual(taken, [true, false, false, true, false])
    })

    test('are respected by a machine whose clock is a little behind', async () => {
      const store = await engine.openStore()
      await lease(store, 0)
      assert.equal(await lease(store, -50), false)
    })

    test('are not waited for when they were taken by a clock that was far ahead', async () => {
      const store = await engine.openStore()
      await lease(store, 86_400)
      assert.equal(await lease(store, 0), true)
      assert.equal(await lease(store, 1), false)
    })
  })

  test('are removed by key, and swept once expired', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      await tx.transient.set('a', 1, noon)
      await tx.transient.set('b', 2, later)
      await tx.transient.set('c', 3, evening)
      await tx.transient.remove('c')
    })
    assert.equal(await store.transact((tx) => tx.transient.sweep(noon)), 1)
    assert.equal(await store.reader.transient.find('b', noon), 2)
    assert.equal(await store.reader.transient.find('c', noon), undefined)
  })

  test('are added by one of many who try at once', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as const
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (stores[index % 2] as Store).transact((tx) => tx.transient.add('key', index, later, noon)),
      ),
    )
    assert.equal(results.filter(Boolean).length, 1)
  })

  test('are listed by the beginning of their keys, in code-point order', async () => {
    const store = await engine.openStore()
    const keys = ['up/1/', 'up/1/b', 'up/1/B', 'up/1/\u{1f600}', 'up/1/\uffff', 'up/10/a', 'up/1', 'up/1.', 'up/10', 'UP/1/']
    await store.transact(async (tx) => {
      for (const key of keys) await tx.transient.set(key, key.length, later)
      await tx.transient.set('up/1/expired', 0, noon)
    })
    assert.deepEqual(await store.reader.transient.list('up/1/', noon), [
      { key: 'up/1/', value: 5 },
      { key: 'up/1/B', value: 6 },
      { key: 'up/1/b', value: 6 },
      { key: 'up/1/\uffff', value: 6 },
      { key: 'up/1/\u{1f600}', value: 7 },
    ])
    assert.deepEqual(await store.reader.transient.list('%', noon), [])
    assert.deepEqual(await store.reader.transient.list('up/1_', noon), [])
  })

  test('are renewed by the beginning of their keys unless they have expired or live longer', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      await tx.transient.set('up/1/', 'renewed', later)
      await tx.transient.set('up/1/a', 'gone', noon)
      await tx.transient.set('up/1/b', 'longer', '2024-06-02T00:00:00.000Z')
      await tx.transient.set('up/2/', 'other', later)
      await tx.transient.renew('up/1/', evening, noon)
    })
    const valuesAt = async (now: string) => (await store.reader.transient.list('up/', now)).map(({ value }) => value)
    assert.deepEqual(await valuesAt(noon), ['renewed', 'longer', 'other'])
    assert.deepEqual(await valuesAt(later), ['renewed', 'longer'])
    assert.deepEqual(await valuesAt(evening), ['longer'])
  })

  test('are removed by the beginning of their keys', async () => {
    const store = await engine.openStore()
    await store.transact(async (tx) => {
      for (const key of ['up/1/', 'up/1/a', 'up/10/', 'up/1']) await tx.transient.set(key, 0, later)
      await tx.transient.removeAll('up/1/')
    })
    assert.deepEqual(
      (await store.reader.transient.list('up/', noon)).map(({ key }) => key),
      ['up/1', 'up/10/'],
    )
  })

  test('are numbers that many may change at once, and that start anew once expired', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()] as const
    const increase = (index: number, by: number, now = noon) =>
      (stores[index % 2] as Store).transact((tx) => tx.transient.increase('up/1/bytes', by, later, now))
    const sums = await Promise.all(Array.from({ length: 20 }, (_, index) => increase(index, 2 ** 40)))
    assert.equal(Math.max(...sums), 20 * 2 ** 40)
    assert.equal(new Set(sums).size, 20)
    assert.equal(await increase(0, -(2 ** 40)), 19 * 2 ** 40)
    assert.equal(await increase(0, 7, later), 7)
  })

  test('are not found by an empty beginning, which every key has', async () => {
    const store = await engine.openStore()
    await assert.rejects(async () => store.transact((tx) => tx.transient.removeAll('')), /empty prefix/)
  })
})
