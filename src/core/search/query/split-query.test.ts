import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addConditions, allOf, joinQuery, splitQuery } from './split-query.ts'

describe('the clauses of a query', () => {
  const rows: [text: string, clauses: object][] = [
    ['SELECT * FROM Document', { head: 'SELECT * FROM Document' }],
    ['select * from File where a = 1', { head: 'select * from File', condition: 'a = 1' }],
    ['SELECT * FROM File ORDER  BY a DESC', { head: 'SELECT * FROM File', order: 'a DESC' }],
    [
      'SELECT * FROM File\nWHERE a = 1\nORDER BY a LIMIT 5',
      { head: 'SELECT * FROM File', condition: 'a = 1', order: 'a', tail: 'LIMIT 5' },
    ],
    ["SELECT * FROM File WHERE a = ' ORDER BY b'", { head: 'SELECT * FROM File', condition: "a = ' ORDER BY b'" }],
    [
      "SELECT * FROM File WHERE a = 'it\\'s where' OR b = 1",
      { head: 'SELECT * FROM File', condition: "a = 'it\\'s where' OR b = 1" },
    ],
    ['SELECT my:where FROM File', { head: 'SELECT my:where FROM File' }],
    ['SELECT a/where FROM File', { head: 'SELECT a/where FROM File' }],
  ]
  for (const [text, clauses] of rows) test(`of ${text}`, () => assert.deepEqual(splitQuery(text), clauses))

  test('join to the query again', () => {
    const query = "SELECT * FROM File WHERE a = 'x' ORDER BY b LIMIT 5"
    assert.equal(joinQuery(splitQuery(query)), query)
  })
})

describe('conditions added to a query', () => {
  const rows: [query: string, added: readonly string[], narrowed: string][] = [
    ['SELECT * FROM File', [], 'SELECT * FROM File'],
    ['SELECT * FROM File', ['a = 1'], 'SELECT * FROM File WHERE a = 1'],
    ['SELECT * FROM File WHERE a = 1 OR b = 2', ['c = 3'], 'SELECT * FROM File WHERE (a = 1 OR b = 2) AND (c = 3)'],
    [
      'SELECT * FROM File WHERE a = 1 ORDER BY a',
      ['b = 1 OR c = 1'],
      'SELECT * FROM File WHERE (a = 1) AND (b = 1 OR c = 1) ORDER BY a',
    ],
    ['SELECT * FROM File ORDER BY a', ['b = 1'], 'SELECT * FROM File WHERE b = 1 ORDER BY a'],
  ]
  for (const [query, added, narrowed] of rows) {
    test(`${JSON.stringify(added)} to ${query}`, () => assert.equal(addConditions(query, added), narrowed))
  }

  test('one alone needs no parentheses', () => assert.equal(allOf(['a = 1 OR b = 1']), 'a = 1 OR b = 1'))
})
