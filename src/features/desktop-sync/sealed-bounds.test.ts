import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createSealedBounds } from './sealed-bounds.ts'

const bounds = createSealedBounds('a secret')
const position = fc.integer({ min: 0, max: 2 ** 40 - 1 })

test('a bound is opened as what was sealed, and is a number that every client reads', () => {
  fc.assert(
    fc.property(position, (one) => {
      const sealed = bounds.seal(one)
      assert.ok(Number.isSafeInteger(sealed) && sealed >= 0)
      assert.equal(bounds.open(sealed), one)
    }),
  )
})

test('bounds of positions that follow each other do not', () => {
  const sealed = Array.from({ length: 100 }, (_, one) => bounds.seal(one))
  assert.equal(new Set(sealed).size, 100)
  const ascending = sealed.filter((one, at) => one > (sealed[at - 1] ?? 0)).length
  assert.ok(ascending > 25 && ascending < 75, `${ascending} of them are larger than the one before`)
})

test('few other numbers are one', () => {
  const isBound = (one: number) => bounds.open(one) !== undefined
  assert.ok(Array.from({ length: 2_000 }, (_, one) => one).filter(isBound).length < 8)
  for (const wrong of [-1, 0.5, Number.NaN, 2 ** 52, 10 ** 18, Number.POSITIVE_INFINITY]) assert.equal(isBound(wrong), false)
})
