import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { completionsAt } from './nxql-completion.ts'
import { tokensOf, unquoted } from './nxql-tokens.ts'

const vocabulary = {
  types: ['File', 'Note'],
  facets: ['Folderish'],
  fields: [
    { name: 'dc:title', type: 'string' },
    { name: 'dc:modified', type: 'date' },
  ],
}
/** What is offered where the bar stands. */
const offered = (query: string) => {
  const cursor = query.indexOf('|')
  const { from, items } = completionsAt(query.replace('|', ''), cursor, vocabulary)
  return { from, texts: items.map(({ text }) => text) }
}

describe('completions of a query', () => {
  test('begin with its beginning', () => assert.deepEqual(offered('|').texts, ['SELECT * FROM ']))
  test('are types after FROM', () => assert.deepEqual(offered('SELECT * FROM No|'), { from: 14, texts: ['Note'] }))
  test('are properties where a condition begins', () => {
    assert.deepEqual(offered('SELECT * FROM Document WHERE dc:t|').texts, ['dc:title'])
    assert.ok(offered('SELECT * FROM Document WHERE dc:title = 1 AND ecm:is|').texts.includes('ecm:isTrashed'))
    assert.ok(offered('SELECT * FROM Document WHERE (|').texts.includes('dc:title'))
  })
  test('are operators after a property', () => assert.ok(offered('SELECT * FROM File WHERE dc:title |').texts.includes('ILIKE')))
  test('are values that fit the property', () => {
    assert.deepEqual(offered("SELECT * FROM Document WHERE ecm:primaryType = 'F|").texts, ["'File'"])
    assert.deepEqual(offered('SELECT * FROM Document WHERE ecm:mixinType IN (|').texts, ["'Folderish'"])
    assert.deepEqual(offered('SELECT * FROM Document WHERE ecm:isTrashed = |').texts, ['0', '1'])
    assert.ok(offered('SELECT * FROM Document WHERE dc:modified > |').texts.includes('NOW()'))
    assert.ok(offered('SELECT * FROM Document WHERE dc:modified BETWEEN NOW() AND |').texts.includes('NOW()'))
  })
  test('lead on after a value', () => {
    assert.deepEqual(offered("SELECT * FROM File WHERE dc:title = 'x' |").texts, ['AND', 'OR', 'ORDER BY'])
    assert.ok(offered('SELECT * FROM File ORDER BY |').texts.includes('dc:modified'))
    assert.deepEqual(offered('SELECT * FROM File ORDER BY dc:title |').texts, ['ASC', 'DESC'])
  })
  test('are none within a text that somebody writes', () => {
    assert.deepEqual(offered("SELECT * FROM File WHERE dc:title = 'ann|").texts, [])
  })
})

test('tokens join to the query again, whatever it is', () => {
  for (const query of ["SELECT * FROM File WHERE dc:title = 'it\\'s'", "''", '§$%', "a='", 'x <= -1.5', ''])
    assert.equal(
      tokensOf(query)
        .map(({ text }) => text)
        .join(''),
      query,
    )
  assert.equal(unquoted("'it\\'s'"), "it's")
  assert.equal(unquoted("'open"), 'open')
})
