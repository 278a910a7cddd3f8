import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFulltext, soughtWords } from './fulltext-expression.ts'
import { relevanceOf, wordCounts } from './fulltext-tokens.ts'

const counted = (texts: string) => wordCounts(texts.split('¶').map((text) => text.match(/\S+/g) ?? []))
const score = (words: string, expression: string) => relevanceOf(counted(words), soughtWords(parseFulltext(expression)))

test('a text is its length and how often it has each word, the ends of texts left out', () => {
  assert.equal(counted('report of ¶ report'), '3 report:2 of ')
  assert.equal(counted(''), '0 ')
})

test('the more often a word is there and the shorter the text, the better it matches', () => {
  const order = ['report report', 'report', 'report of the year', 'a b c d report e f g h i', 'reporter', '']
  const scores = order.map((words) => score(words, 'report'))
  assert.deepEqual(
    scores,
    scores.toSorted((left, right) => right - left),
  )
  assert.deepEqual(scores.slice(-2), [0, 0])
  assert.equal(new Set(scores.slice(0, 5)).size, 5)
})

test('a beginning counts all words that begin so, and a phrase each of its words', () => {
  assert.equal(score('report reporter reporter other', 'report*'), score('report report report x', 'report'))
  assert.equal(score('annual report', '"annual report"'), 2 * score('annual report', 'annual'))
})

test('a word counts once however often it is asked for, and what is left out not at all', () => {
  assert.equal(score('annual report', 'report report OR report -annual'), score('annual report', 'report'))
})

test('only the first twenty words are looked at', () => {
  assert.equal(soughtWords(parseFulltext(Array.from({ length: 50 }, (_, index) => `w${index}`).join(' '))).length, 20)
})
