import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseJson, stringifyJson } from './json.ts'

describe('reading JSON', () => {
  test('keeps an integer beyond 2^53 digit for digit', () => {
    assert.deepEqual(parseJson('{"a":[9223372036854775807,-9007199254740993]}'), {
      a: [9223372036854775807n, -9007199254740993n],
    })
  })

  test('leaves every safe integer a number', () => {
    assert.equal(parseJson('9007199254740991'), 9007199254740991)
    assert.equal(parseJson('-9007199254740991'), -9007199254740991)
  })

  test('leaves fractions and exponents numbers, however many digits they have', () => {
    assert.equal(parseJson('0.12345678901234567890'), 0.12345678901234568)
    assert.deepEqual(parseJson('[1e30, 12345678901234567890]'), [1e30, 12345678901234567890n])
    assert.equal(typeof parseJson('12345678901234567890.5'), 'number')
  })

  test('leaves long runs of digits inside texts alone', () => {
    assert.deepEqual(parseJson('{"1234567890123456789":"12345678901234567890"}'), {
      '1234567890123456789': '12345678901234567890',
    })
  })

  test('refuses what is no JSON', () => {
    for (const text of ['', '{', '[1,]', '{"a":12345678901234567890,}']) assert.throws(() => parseJson(text), SyntaxError)
  })
})

describe('writing JSON', () => {
  test('writes a bigint as its digits', () => {
    assert.equal(stringifyJson({ a: [1n, 9223372036854775807n], b: 'x' }), '{"a":[1,9223372036854775807],"b":"x"}')
  })

  test('still refuses a circle', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    assert.throws(() => stringifyJson(circle), TypeError)
  })
})

test('what was written is read back, 64-bit integers included', () => {
  const unsafe = fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n })
  const leaf = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.maxSafeInteger(),
    unsafe,
    unsafe.map((value) => -value),
  )
  const values = fc.oneof(leaf, fc.array(leaf), fc.dictionary(fc.string(), leaf, { noNullPrototype: true }))
  fc.assert(fc.property(values, (value) => assert.deepEqual(parseJson(stringifyJson(value)), value)))
})
