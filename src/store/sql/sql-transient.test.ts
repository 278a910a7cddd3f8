import assert from 'node:assert/strict'
import { test } from 'node:test'
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
})
