import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, randomDecimal, randomText } from './ids.ts'

test('ids made one after another sort in that order', () => {
  const ids = [newId()]
  // Within one millisecond the order is left to chance; across milliseconds it must hold.
  for (let last = Date.now(); ids.length < 4; ) {
    if (Date.now() > last) {
      ids.push(newId())
      last = Date.now()
    }
  }
  assert.deepEqual(ids, [...ids].sort())
})

test('ids are version 7 UUIDs and differ', () => {
  const ids = Array.from({ length: 1_000 }, newId)
  assert.equal(new Set(ids).size, 1_000)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a random decimal is positive and fits 63 bits', () => {
  for (const text of Array.from({ length: 1_000 }, randomDecimal)) {
    assert.match(text, /^[1-9]\d*$/)
    assert.ok(BigInt(text) < 2n ** 63n)
  }
})

test('a random text has as many letters and digits as were asked for, and no two are alike', () => {
  const texts = Array.from({ length: 1_000 }, () => randomText(32))
  for (const text of texts) assert.match(text, /^[A-Za-z0-9]{32}$/)
  assert.equal(new Set(texts).size, 1_000)
  assert.equal(new Set(texts.join('')).size, 62)
})
