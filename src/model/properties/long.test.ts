import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isLong, parseLong, toLong } from './long.ts'

test('an integer is a number up to 2^53 and a bigint beyond', () => {
  assert.equal(parseLong('9007199254740991'), 9007199254740991)
  assert.equal(parseLong('9007199254740993'), 9007199254740993n)
  assert.equal(parseLong('9223372036854775807'), 9223372036854775807n)
  assert.equal(parseLong('-9223372036854775808'), -9223372036854775808n)
  assert.equal(parseLong('+5'), 5)
  assert.equal(parseLong('-0'), 0)
  assert.equal(parseLong('0000000000000000000000000000007'), 7)
})

test('what is no decimal integer of 64 bits is not read', () => {
  const texts = ['', ' 5', '5 ', '5.0', '1e3', '0x10', '--5', '+', '9223372036854775808', '-9223372036854775809', '9'.repeat(400)]
  for (const text of texts) assert.equal(parseLong(text), undefined, text)
})

test('every 64-bit integer is read from its digits, and is one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (integer) => {
      const long = parseLong(String(integer))
      assert.ok(long !== undefined && isLong(long))
      assert.equal(String(long), String(integer))
      assert.equal(long, toLong(integer))
    }),
  )
})

test('a fraction, an infinity, an inexact number and an integer of 65 bits are no longs', () => {
  for (const value of [1.5, Number.NaN, Infinity, 2 ** 53, 2n ** 63n, '5', null])
    assert.equal(isLong(value), false, String(value))
})
