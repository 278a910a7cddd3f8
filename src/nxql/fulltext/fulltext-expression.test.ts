import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { matchesFulltext } from '../../../test/support/nxql/matching.ts'
import { type FulltextTerm, invalidFulltext, parseFulltext } from './fulltext-expression.ts'
import { tokenise } from './fulltext-tokens.ts'

const termText = ({ words, isPrefix }: FulltextTerm) => `${words.join('_')}${isPrefix ? '*' : ''}`

const summary = (expression: string) =>
  parseFulltext(expression)
    .alternatives.map(({ required, excluded }) =>
      [...required.map(termText), ...excluded.map((term) => `-${termText(term)}`)].join(' '),
    )
    .join(' | ')

describe('an expression', () => {
  const rows = {
    'fox dog': 'fox dog',
    '+fox +dog': 'fox dog',
    'fox -dog': 'fox -dog',
    '"quick fox"': 'quick_fox',
    'fox -"lazy dog"': 'fox -lazy_dog',
    '+"quick fox"': 'quick_fox',
    'a1 b1 OR c1 -d1': 'a1 b1 | c1 -d1',
    'fox or dog': 'fox | dog',
    'fox Or dog': 'fox | dog',
    'rest*': 'rest*',
    'rest%': 'rest*',
    '"rest*"': 'rest',
    'restaurant :': 'restaurant',
    '-fox': '',
    '-fox OR dog': 'dog',
    'fox OR -dog': 'fox',
    '': '',
    '   ': '',
    '""': '',
    'fox ""': 'fox',
    '"OR"': 'or',
    'fox "OR" dog': 'fox or dog',
    Café: 'cafe',
    'well-known': 'well_known',
    'well-kno*': 'well_kno*',
    'fox OR :': 'fox',
    ': OR fox': 'fox',
    '"fox"dog': 'fox dog',
    '"a1""b1"': 'a1 b1',
    '-:': '',
  }
  for (const [expression, expected] of Object.entries(rows)) {
    test(`${JSON.stringify(expression)} is ${expected || 'nothing'}`, () => assert.equal(summary(expression), expected))
  }
})

describe('stop words', () => {
  const rows = {
    'the fox': 'fox',
    'the of': 'the of',
    the: 'the',
    '"the fox"': 'the_fox',
    'the*': 'the*',
    'fox -the': 'fox -the',
    'the OR fox': 'fox',
    'the -fox': 'the -fox',
    'the le "a fox"': 'a_fox',
  }
  for (const [expression, expected] of Object.entries(rows)) {
    test(`${expression} asks for ${expected}`, () => assert.equal(summary(expression), expected))
  }
})

describe('an expression is refused for', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['a OR OR b', 'OR OR'],
    ['OR a', 'standalone OR'],
    ['OR', 'standalone OR'],
    ['a OR', 'final OR'],
    ['a - b', 'standalone -'],
    ['-', 'standalone -'],
    ['a +', 'standalone +'],
    ['a"b', 'double quotes in word'],
    ['-a"b"', 'double quotes in word'],
    ['"a', 'unterminated phrase'],
    ['a -"b', 'unterminated phrase'],
  ]
  for (const [expression, reason] of rows) {
    test(`${reason}: ${expression}`, () =>
      assert.throws(() => parseFulltext(expression, 7), {
        message: `Invalid fulltext query (${reason}): ${expression}`,
        details: { reason, expression, offset: 7 },
      }))
  }

  test('one of these reasons, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '-', '+', '"', 'OR', '*', ':', 'the') }), (expression) => {
        try {
          for (const { required } of parseFulltext(expression).alternatives) assert.ok(required.length > 0)
        } catch (error) {
          assert.ok(invalidFulltext.is(error), String(error))
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

test('a text is found by each of its words, in the order it has them as a phrase, and not by others', () => {
  const words = fc.array(fc.constantFrom('fox', 'dog', 'quick', 'lazy'), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(words, (text) => {
      const indexed = tokenise(text.join(' '))
      for (const word of text) assert.ok(matchesFulltext(parseFulltext(word.toUpperCase()), indexed))
      assert.ok(matchesFulltext(parseFulltext(`"${text.join(' ')}"`), indexed))
      assert.ok(!matchesFulltext(parseFulltext(`${text.join(' ')} cat`), indexed))
      assert.ok(!matchesFulltext(parseFulltext(`cat OR fox -fox`), indexed))
    }),
  )
})
