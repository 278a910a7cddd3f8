import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { matchesLike } from '../../../nxql/like-pattern.ts'
import { fuzzyExpression } from './hinted-condition.ts'
import { patternsOfExpression } from './regular-patterns.ts'

const matches = (expression: string, text: string) =>
  patternsOfExpression(expression).some((pattern) => matchesLike(pattern, text))

const pieces = fc.constantFrom('a', 'b', '.', '.*', '.+', 'a?', '(a|bb)', '(ab)?', '[ab]', '\\.', '(a|b.*)')

describe('patterns of a regular expression', () => {
  test('match what the expression does', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 5 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 6 }),
        (parts, text) => {
          const expression = parts.join('')
          assert.equal(matches(expression, text), new RegExp(`^(?:${expression})$`).test(text))
        },
      ),
    )
  })

  test('are none for an expression that says more than they can', () => {
    for (const expression of ['a*', '(a+)+b', 'a{2}', '[a-z]', '[^a]', 'a(b', 'a)b', '[ab', '*a', 'a|*']) {
      assert.deepEqual(patternsOfExpression(expression), [], expression)
    }
  })

  test('are not more than a database can bear', () => {
    assert.deepEqual(patternsOfExpression('(a|b|c)'.repeat(8)), [])
  })
})

describe('the expression of a word that may be misspelt', () => {
  const holds = (word: string, text: string) => new RegExp(fuzzyExpression(word), 'u').test(` ${text} `)

  test('forgives one letter of a word of three to five, two of a longer one and none of a shorter one', () => {
    assert.deepEqual(
      ['report', 'reprt', 'rport', 'raport', 'reeport', 'reprts', 'rxpxrt', 'rxpxrx'].map((text) => holds('report', text)),
      [true, true, true, true, true, true, true, false],
    )
    assert.deepEqual(
      ['sea', 'see', 'sa', 'seat', 'sxx'].map((text) => holds('sea', text)),
      [true, true, true, true, false],
    )
    assert.deepEqual(
      ['at', 'a', 'art'].map((text) => holds('at', text)),
      [true, false, false],
    )
  })

  test('looks at one word at a time', () => {
    assert.equal(holds('seaside', 'sea side'), false)
    assert.equal(holds('sea', 'deep sea fish'), true)
  })

  test('stays small for the longest words', () => {
    assert.ok(fuzzyExpression('a'.repeat(255)).length < 1_000)
    assert.ok(fuzzyExpression('abcdefghijkl').length < 30_000)
  })
})
