import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holdsTerm } from '../../../test/support/nxql/matching.ts'
import { queryTooLarge } from '../query-limits.ts'
import { type FulltextTerm, invalidFulltext } from './fulltext-expression.ts'
import { parseSimpleQuery, type SimpleQuery } from './simple-query-string.ts'

const termText = ({ words, isPrefix }: FulltextTerm) => `${words.join('_')}${isPrefix ? '*' : ''}`

const summary = (expression: string) =>
  parseSimpleQuery(expression)
    .alternatives.map(
      ({ required, excluded }) => [...required.map(termText), ...excluded.map((term) => `-${termText(term)}`)].join(' ') || 'all',
    )
    .join(' | ')

describe('a simple query string', () => {
  const rows = {
    'fox dog': 'fox | dog',
    'fox | dog': 'fox | dog',
    'fox + dog': 'fox dog',
    'fox+dog': 'fox dog',
    'fox +dog': 'fox dog',
    '+fox': 'fox',
    // Both operators bind alike, from left to right.
    'fox + dog | cat': 'fox dog | cat',
    'fox | dog + cat': 'fox cat | dog cat',
    'fox dog + cat': 'fox cat | dog cat',
    'fox + (dog | cat)': 'fox dog | fox cat',
    '(fox dog) + (cat cow)': 'fox cat | fox cow | dog cat | dog cow',
    'fox + -dog': 'fox -dog',
    'fox -dog': 'fox | -dog',
    '-fox': '-fox',
    '-fox + -dog': '-fox -dog',
    '--fox': 'fox',
    '- fox': 'fox',
    '-(fox dog)': '-fox -dog',
    '-(fox + dog)': '-fox | -dog',
    '-(fox + -dog) + cat': 'cat -fox | dog cat',
    '"quick fox"': 'quick_fox',
    '"quick fox" + -"lazy dog"': 'quick_fox -lazy_dog',
    'rest*': 'rest*',
    'rest\\*': 'rest',
    'rest\\\\*': 'rest*',
    '"rest*"': 'rest',
    'quick\\ fox': 'quick_fox',
    '\\-fox': 'fox',
    'rest%': 'rest',
    'well-known': 'well_known',
    'fox~0 "quick dog"~0': 'fox | quick_dog',
    'fox~dog': 'fox_dog',
    '*': 'all',
    ' * ': 'all',
    '': '',
    '   ': '',
    ': -': '',
    // What is not closed or joins nothing is left out.
    '"fox': 'fox',
    'fox" dog': 'fox | dog',
    '(fox + dog': 'fox dog',
    'fox) + dog': 'fox dog',
    '() fox': 'fox',
    '| + fox + |': 'fox',
    'fox + | dog': 'fox dog',
    'fox OR dog': 'fox | dog',
    'the fox': 'fox',
    'the of': 'the | of',
    '"the fox"': 'the_fox',
    'fox + -the': 'fox -the',
    'fox fox': 'fox',
    Café: 'cafe',
  }
  for (const [expression, expected] of Object.entries(rows)) {
    test(`${JSON.stringify(expression)} is ${expected || 'nothing'}`, () => assert.equal(summary(expression), expected))
  }

  for (const expression of ['fox~', 'fox~1', 'fox~2 dog', '"quick dog"~3', '(fox~1)'])
    test(`is refused for similar words: ${expression}`, () =>
      assert.throws(() => parseSimpleQuery(expression, 7), {
        message: `Invalid fulltext query (~ is not supported): ${expression}`,
        details: { reason: '~ is not supported', expression, offset: 7 },
      }))
})

type Asked =
  | { readonly word: string }
  | { readonly not: Asked }
  | { readonly all: readonly Asked[] }
  | { readonly any: readonly Asked[] }

const vocabulary = ['fox', 'dog', 'cat']

const { asked } = fc.letrec<{ asked: Asked }>((tie) => ({
  asked: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ word: fc.constantFrom(...vocabulary) }),
    fc.record({ not: tie('asked') }),
    fc.record({ all: fc.array(tie('asked'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('asked'), { minLength: 1, maxLength: 3 }) }),
  ),
}))

function written(one: Asked): string {
  if ('word' in one) return one.word
  if ('not' in one) return `-(${written(one.not)})`
  return `(${('all' in one ? one.all : one.any).map(written).join('all' in one ? ' + ' : ' | ')})`
}

function holds(one: Asked, words: readonly string[]): boolean {
  if ('word' in one) return words.includes(one.word)
  if ('not' in one) return !holds(one.not, words)
  return 'all' in one ? one.all.every((part) => holds(part, words)) : one.any.some((part) => holds(part, words))
}

function finds({ alternatives }: SimpleQuery, words: readonly string[]): boolean {
  return alternatives.some(
    ({ required, excluded }) =>
      required.every((term) => holdsTerm(words, term)) && !excluded.some((term) => holdsTerm(words, term)),
  )
}

test('a simple query string finds what its operators and parentheses say, however they are nested', () => {
  fc.assert(
    fc.property(asked, fc.subarray(vocabulary), (one, words) => {
      assert.equal(finds(parseSimpleQuery(written(one)), words), holds(one, words), written(one))
    }),
    { numRuns: 1_000 },
  )
})

test('whatever is written is read, or refused for what is too much or not there', () => {
  const pieces = fc.constantFrom('a', 'b1', ' ', '-', '+', '|', '"', '(', ')', '*', '~', '~1', '\\', ':', 'the', '漢字')
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 60 }), (expression) => {
      try {
        parseSimpleQuery(expression)
      } catch (error) {
        assert.ok(invalidFulltext.is(error) || queryTooLarge.is(error), String(error))
      }
    }),
    { numRuns: 3_000 },
  )
})

test('a text as long as a query may be is read or refused at once, whatever it is full of', () => {
  for (const piece of ['(', ')', '"', '\\"', '"\\', '-', '-(', '+', '|', '~', '*', '\\', ' ', '()', '(-"', 'a(', '"" ', ': ']) {
    const started = performance.now()
    try {
      parseSimpleQuery(piece.repeat(200_000 / piece.length))
    } catch (error) {
      assert.ok(invalidFulltext.is(error) || queryTooLarge.is(error), String(error))
    }
    // Each takes 0.2 s, and would take minutes where a sign is looked for anew behind each other one.
    assert.ok(performance.now() - started < 5_000, `${piece}: ${performance.now() - started} ms`)
  }
})
