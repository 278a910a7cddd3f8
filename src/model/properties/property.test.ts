import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { changedNames, changesBlob, isBlobValue, isUnset, type PropertyValue, sameValue } from './property.ts'

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
    ['a double and the digits it is written with', -48074007574568970, -48074007574568970n, true],
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

describe('changed names', () => {
  const properties = fc.dictionary(fc.constantFrom('a:a', 'a:b', 'a:c'), anyValue, { noNullPrototype: true })

  test('are those whose values differ, whichever side has them', () => {
    const changed = changedNames({ same: 1, other: 1, gone: 1, unset: [] }, { same: 1, other: 2, come: 1, unset: null })
    assert.deepEqual([...changed].sort(), ['come', 'gone', 'other'])
  })
  test('are the same in both directions, and none of a document and itself', () => {
    fc.assert(
      fc.property(properties, properties, (left, right) => {
        const [there, back] = [changedNames(left, right), changedNames(right, left)]
        assert.deepEqual([...there].sort(), [...back].sort())
        assert.equal(changedNames(left, left).size, 0)
      }),
    )
  })
})

describe('a change of a blob', () => {
  const blob = (key: string) => ({ key, digest: key, name: 'a.txt' })
  const rows: [string, PropertyValue, PropertyValue, boolean][] = [
    ['is other bytes', blob('1'), blob('2'), true],
    ['is another name for the same bytes', blob('1'), { ...blob('1'), name: 'b.txt' }, true],
    ['is another type of the same bytes', blob('1'), { ...blob('1'), 'mime-type': 'text/plain' }, true],
    ['is not what else is known of the same bytes', blob('1'), { ...blob('1'), length: 1, 'mime-type': null }, false],
    ['is a blob that came', null, blob('1'), true],
    ['is a blob that went', blob('1'), null, true],
    ['is one inside a list', [{ file: blob('1') }], [{ file: blob('2') }], true],
    ['is another order', [blob('1'), blob('2')], [blob('2'), blob('1')], true],
    ['is no change of anything else', { text: 'a' }, { text: 'b' }, false],
  ]
  for (const [sentence, before, after, expected] of rows) {
    test(sentence, () => assert.equal(changesBlob({ 'a:a': before }, { 'a:a': after }, ['a:a']), expected))
  }
  test('is looked for in the named properties only', () => {
    assert.equal(changesBlob({ 'a:a': blob('1') }, { 'a:a': blob('2') }, ['a:b']), false)
  })
})
