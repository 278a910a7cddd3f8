import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseFulltext } from '../../../nxql/fulltext/fulltext-expression.ts'
import { matchExpression } from './match-expression.ts'

describe('a full-text query in the language of FTS5', () => {
  const rows: readonly (readonly [expression: string, match: string])[] = [
    ['one two', 'title : (("one" AND "two"))'],
    ['"one two"', 'title : (("one two"))'],
    ['one OR tw*', 'title : (("one") OR ("tw" *))'],
    ['one -two -"three four"', 'title : ((("one") NOT ("two" OR "three four")))'],
    ['NEAR(one)', 'title : (("near one"))'],
    ['NEAR NOT', 'title : (("near" AND "not"))'],
    ['^one {two}: +three', 'title : (("one" AND "two" AND "three"))'],
  ]
  for (const [expression, match] of rows) {
    test(`of ${expression} is ${match}`, () => assert.equal(matchExpression('title', parseFulltext(expression)), match))
  }
})
