import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isBlobValue, isUnset, type PropertyValue, sameValue } from './property.ts'

const scalar = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null), fc.bigInt())
const { value: anyValue } = fc.letrec<{ value: PropertyValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
  ),
}))

describe('two values are the same to a client', () => {
  const rows: [string, PropertyValue | undefined, PropertyValue | undefined, boolean][] = [
    ['absent and null', undefined, null, true],
    ['null and an empty list', null, [], true],
    ['null and a complex of nulls', null, { a: null, b: [] }, true],
    ['null and an empty text', null, '', false],
    ['null and false', null, false, false],
    ['null and zero', null, 0, false],
    ['null and a list of null', null, [null], false],
    ['members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['an absent and a null member', { a: 1 }, { a: 1, b: null }, true],
    ['another member', { a: 1 }, { a: 1, b: 2 }, false],
    ['items in another order', [1, 2], [2, 1], false],
    ['a longer list', [1], [1, 1], false],
    ['a number and its text', 1, '1', false],
    ['a number and the same bigint', 1e17, 100000000000000000n, true],
    ['neighbours beyond 2^53', 9007199254740993n, 9007199254740992, false],
    ['a list and a complex', [1], { 0: 1 }, false],
  ]
  for (const [sentence, left, right, expected] of rows) {
    test(`${sentence}: ${expected}`, () => {
      assert.equal(sameValue(left, right), expected)
      assert.equal(sameValue(right, left), expected)
    })
  }

  test('when they are one, or copies', () => {
    fc.assert(fc.property(anyValue, (value) => sameValue(value, value) && sameValue(value, structuredClone(value))))
  })

  test('whichever is named first', () => {
    fc.assert(fc.property(anyValue, anyValue, (left, right) => sameValue(left, right) === sameValue(right, left)))
  })

  test('when both are unset, and not when one is', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (left, right) => {
        if (isUnset(left) && isUnset(right)) assert.ok(sameValue(left, null) && sameValue(right, null))
        if (isUnset(left) !== isUnset(right)) assert.ok(!sameValue(left, right))
      }),
    )
  })
})

test('a blob is told by its key and digest', () => {
  assert.equal(isBlobValue({ key: 'k', digest: 'd' }), true)
  assert.equal(isBlobValue({ name: 'a.txt' }), false)
  assert.equal(isBlobValue(['key', 'digest']), false)
  assert.equal(isBlobValue(null), false)
})
