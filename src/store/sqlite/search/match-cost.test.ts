import assert from 'node:assert/strict'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { parseFulltext } from '../../../nxql/fulltext/fulltext-expression.ts'
import { matchCost } from './match-cost.ts'
import { matchExpression } from './match-expression.ts'

const cost = (expression: string) =>
  matchCost(sql`SELECT ${matchExpression('everything', parseFulltext(expression))}, ${'"other" *'}`)

test('a match costs more for each word, more still for phrases, and most for beginnings of words', () => {
  assert.equal(cost('report'), 1)
  assert.equal(cost('annual report -old'), 3)
  assert.equal(cost('"annual report"'), 6)
  assert.equal(cost('rep*'), 21)
  assert.equal(matchCost(sql`SELECT ${'report'}, ${7}`), 0)
})

test('a part of a text costs a little for each three letters in a row', () => {
  assert.equal(matchCost(sql`SELECT ${'"_dc:title" : "budget"'}`), 1)
  assert.equal(matchCost(sql`SELECT ${'"_dc:title" : "dge"'}, ${'"_dc:title"'}`), 0.25)
})
