import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseFulltext } from './fulltext-expression.ts'
import { sanitiseFulltext } from './fulltext-sanitise.ts'

describe('what a person types', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['a & b', 'a b'],
    ['a#b|c  d+e*f', 'a b c d e f'],
    ['"a-b"', '"a b"'],
    ['a* b-', 'a* b'],
    ['a*-b', 'a  b'],
    ['*a -b', 'a -b'],
    ['a | -bc*', 'a -bc*'],
    ['10.3', '10 3'],
    ["!#$%&'()+,./\\:;<=>?@{|}`^~", ''],
    ['- * *- -*', ''],
    ['', ''],
    ['a_b "c"', 'a_b "c"'],
  ]
  for (const [typed, expression] of rows) {
    test(`${typed} becomes ${JSON.stringify(expression)}`, () => assert.equal(sanitiseFulltext(typed), expression))
  }

  test('can be freed of other characters instead', () => assert.equal(sanitiseFulltext('a_b.c', /_/g), 'a b.c'))

  test('is never refused, unless for its quotes and ORs', () => {
    fc.assert(
      fc.property(fc.string(), (typed) => {
        const expression = sanitiseFulltext(typed.replaceAll('"', ''))
        if (!/(^| )or( |$)/i.test(expression)) parseFulltext(expression)
      }),
      { numRuns: 1_000 },
    )
  })
})
