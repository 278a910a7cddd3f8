import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { createListCache } from './list-cache.ts'
import { listOf } from './number-list.ts'

function opened(mode: 'read' | 'write') {
  const database = new DatabaseSync(':memory:', { returnArrays: true })
  const lists = createListCache(database, mode)
  if (mode === 'read') database.exec('PRAGMA query_only = 1')
  const items = (list: number) =>
    (database.prepare('SELECT item FROM temp.lists WHERE list = ? ORDER BY item').all(list) as unknown as number[][]).flat()
  return { database, lists, items }
}

describe('a list of numbers that statements look into', () => {
  test('is put into the table once and found there again, also as another array with the same numbers', () => {
    const { lists, items } = opened('read')
    const first = lists.numberOf(listOf([3, 1, 2]))
    assert.deepEqual(items(first), [1, 2, 3])
    assert.equal(lists.numberOf(listOf([3, 1, 2])), first)
    const other = lists.numberOf(listOf([7]))
    assert.notEqual(other, first)
    assert.deepEqual([items(first), items(other)], [[1, 2, 3], [7]])
  })

  test('may be empty or name a number twice', () => {
    const { lists, items } = opened('read')
    assert.deepEqual(items(lists.numberOf(listOf([]))), [])
    assert.deepEqual(items(lists.numberOf(listOf([5, 5]))), [5])
  })

  for (const mode of ['read', 'write'] as const) {
    test(`is put on a connection to ${mode} whatever was inserted there last`, () => {
      const { database, lists, items } = opened(mode)
      database.exec('PRAGMA query_only = 0')
      database.exec('CREATE TABLE words (id INTEGER PRIMARY KEY)')
      database.exec('INSERT INTO words VALUES (9009673155903488)')
      assert.deepEqual(items(lists.numberOf(listOf([3, 5]))), [3, 5])
    })
  }

  test('leaves a connection that only reads unable to write', () => {
    const { database, lists } = opened('read')
    lists.numberOf(listOf([1]))
    assert.throws(() => database.exec('CREATE TABLE t (a)'), /readonly/)
  })

  test('makes room for others when there are too many, the oldest first', () => {
    const { lists, items } = opened('read')
    const oldest = lists.numberOf(listOf([1]))
    const large = Array.from({ length: 300_000 }, (_, index) => index)
    const larger = lists.numberOf(listOf(large))
    assert.deepEqual([items(oldest).length, items(larger).length], [1, 300_000])
    const other = lists.numberOf(listOf(large.map((number) => number + 1)))
    assert.deepEqual([items(oldest).length, items(larger).length, items(other).length], [0, 0, 300_000])
    assert.deepEqual(items(lists.numberOf(listOf([1]))), [1])
  })

  test('is there whatever was rolled back, where transactions are', () => {
    const { database, lists, items } = opened('write')
    const list = listOf([1, 2])
    database.exec('BEGIN')
    assert.deepEqual(items(lists.numberOf(list)), [1, 2])
    database.exec('ROLLBACK')
    assert.deepEqual(items(lists.numberOf(list)), [1, 2])
    assert.deepEqual(items(lists.numberOf(listOf([9]))), [9])
  })
})
