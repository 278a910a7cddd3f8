import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { compileQuery } from '../../nxql/compile-query.ts'
import { readQuery } from '../../rest/payload/declared-input.ts'
import { highlightingOf } from './highlighting.ts'
import { providerParameters } from './search-parameters.ts'

const highlightedFields = (sent: string) => readQuery(providerParameters, new URLSearchParams(sent)).highlight ?? []

const sought = (condition: string) => {
  const query = compileQuery(builtinModel, `SELECT * FROM Document WHERE ${condition}`)
  const highlighting = highlightingOf(['dc:title'], query)
  return highlighting?.terms.map(({ words, isPrefix }) => words.join(' ') + (isPrefix ? '*' : ''))
}

describe('what is marked', () => {
  const rows: readonly [condition: string, terms: readonly string[]][] = [
    ["ecm:fulltext = 'annual report'", ['annual', 'report']],
    ['ecm:fulltext = \'rep* OR "first draft"\'', ['rep*', 'first draft']],
    ["ecm:fulltext = 'report -draft'", ['report']],
    ["ecm:fulltext_title = 'Café' AND (dc:source = 'x' OR ecm:fulltext_description = 'two')", ['cafe', 'two']],
    ["NOT (ecm:fulltext = 'report')", []],
    ["/*+ES: INDEX(dc:title.fulltext) OPERATOR(match_phrase_prefix) */ dc:title = 'Annual re'", ['annual re*']],
    ["dc:title = 'report'", []],
  ]
  for (const [condition, terms] of rows) {
    test(`by ${condition} is ${terms.join(', ') || 'nothing'}`, () => assert.deepEqual(sought(condition), terms))
  }

  test('is not asked for without fields', () => {
    const query = compileQuery(builtinModel, "SELECT * FROM Document WHERE ecm:fulltext = 'a'")
    for (const sent of ['', 'highlight=']) {
      assert.equal(highlightingOf(highlightedFields(sent), query), undefined)
    }
  })
  test('is in each of the fields', () => {
    const query = compileQuery(builtinModel, 'SELECT * FROM Document')
    const sent = highlightedFields('highlight=dc:title.fulltext, ecm:binarytext')
    assert.deepEqual(highlightingOf(sent, query)?.fields, ['dc:title.fulltext', 'ecm:binarytext'])
  })
})
