import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseFulltext } from './fulltext-expression.ts'
import { forgivingBeginning, sanitiseFulltext } from './fulltext-sanitise.ts'

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
    ['"fold', 'fold'],
    ['"a b" c"', '"a b" c'],
    ['a"b c"', 'a "b c"'],
    ['-"a', 'a'],
    ['fold -"a b"', 'fold -"a b"'],
    ['OR a or OR b Or', 'a or b'],
    ['or', ''],
  ]
  for (const [typed, expression] of rows) {
    test(`${typed} becomes ${JSON.stringify(expression)}`, () => assert.equal(sanitiseFulltext(typed), expression))
  }

  test('can be freed of other characters instead', () => assert.equal(sanitiseFulltext('a_b.c', /_/g), 'a b.c'))

  test('is never refused', () => {
    const typing = fc.string({ unit: fc.constantFrom('a', ' ', '-', '+', '"', 'or', ' OR ', '*', ':') })
    fc.assert(
      fc.property(fc.oneof(fc.string(), typing), (typed) => {
        for (const ignored of [undefined, /_/g]) parseFulltext(sanitiseFulltext(typed, ignored))
        parseFulltext(`${forgivingBeginning(typed)}*`)
      }),
      { numRuns: 1_000 },
    )
  })

  test('goes on behind its beginning', () => {
    const rows = { '"fold': 'fold', 'annual or': 'annual or', or: 'or', 'or fold': 'fold', 'fold ': 'fold ', '"a b"': '"a b" ' }
    for (const [typed, beginning] of Object.entries(rows)) assert.equal(forgivingBeginning(typed), beginning, typed)
    for (const typed of ['"', '-', '+', '']) assert.deepEqual(parseFulltext(`${forgivingBeginning(typed)}*`).alternatives, [])
  })
})
