import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createCache } from './bounded-cache.ts'
import { memoised, memoisedByText, once } from './memo.ts'

describe('a bounded cache', () => {
  test('gives up the entry used least recently, and no other', () => {
    const cache = createCache<string, number>({ maxEntries: 3 })
    for (const [index, key] of ['a', 'b', 'c'].entries()) cache.set(key, index)
    cache.get('a')
    cache.set('d', 3)
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => cache.get(key)),
      [0, undefined, 2, 3],
    )
  })

  test('has no more bytes than it may, and never what is larger than all of it', () => {
    const cache = createCache<string, string>({ maxBytes: 10, sizeOf: (value) => value.length })
    for (const text of ['aaaa', 'bbbb', 'cccc', 'd'.repeat(11)]) cache.set(text, text)
    assert.deepEqual(
      [cache.size, cache.get('aaaa'), cache.get('cccc'), cache.get('d'.repeat(11))],
      [2, undefined, 'cccc', undefined],
    )
  })

  test('says what leaves, evicted or deleted', () => {
    const gone: string[] = []
    const cache = createCache<string, number>({ maxEntries: 1 }, (_, key) => gone.push(key))
    cache.set('a', 1)
    cache.set('b', 2)
    cache.delete('b')
    assert.deepEqual(gone, ['a', 'b'])
  })
})

describe('a memo', () => {
  test('derives once from an object, also what is undefined', () => {
    const asked: object[] = []
    const memo = memoised((key: object) => {
      asked.push(key)
      return undefined
    })
    const key = {}
    memo(key)
    memo(key)
    assert.equal(asked.length, 1)
  })

  test('of texts is bounded', () => {
    const asked: string[] = []
    const memo = memoisedByText((text) => asked.push(text), { maxEntries: 2 })
    for (const text of ['a', 'a', 'b', 'c', 'a']) memo(text)
    assert.deepEqual(asked, ['a', 'b', 'c', 'a'])
  })

  test('of nothing is made when it is first asked for', () => {
    let made = 0
    const value = once(() => ++made)
    assert.deepEqual([made, value(), value()], [0, 1, 1])
  })
})
