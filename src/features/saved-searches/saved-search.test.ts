import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readBody } from '../../rest/payload/declared-input.ts'
import { parseSavedSearch, savedSearchBody } from './saved-search.ts'

const parse = (body: object) => parseSavedSearch(readBody(savedSearchBody, body))

const entity = (fields: object) => ({ 'entity-type': 'savedSearch', title: 't', ...fields })
const query = { query: 'SELECT * FROM Note', queryLanguage: 'NXQL' }

describe('a saved search', () => {
  const refusals: readonly [sentence: string, body: object, message: string][] = [
    ['without an entity type', { title: 't', ...query }, 'Json object does not contain an entity-type field as expected'],
    [
      'of another entity type',
      { 'entity-type': 'document' },
      'Json object entity-type is wrong. Expected is savedSearch but was document',
    ],
    ['without a title', entity({ title: undefined }), 'title cannot be empty'],
    [
      'with an empty title, whatever else is wrong',
      entity({ title: ' ', query: 'q', pageProviderName: 'p' }),
      'title cannot be empty',
    ],
    [
      'with a query and a provider',
      entity({ ...query, pageProviderName: 'p' }),
      'query and page provider parameters are mutually exclusive (query, queryLanguage, pageProviderName)',
    ],
    [
      'with a language and a provider',
      entity({ queryLanguage: 'NXQL', pageProviderName: 'p' }),
      'query and page provider parameters are mutually exclusive (query, queryLanguage, pageProviderName)',
    ],
    [
      'with neither',
      entity({ query: '', queryLanguage: null }),
      'query or page provider parameters are missing (query, queryLanguage, pageProviderName)',
    ],
    ['without the language of its query', entity({ query: 'q' }), 'queryLanguage parameter is missing'],
    ['without the query of its language', entity({ queryLanguage: 'NXQL' }), 'query parameter is missing'],
    ['with a page size that is none', entity({ ...query, pageSize: 'many' }), 'Invalid parameter: pageSize'],
    ['with half a page', entity({ ...query, currentPageIndex: 1.5 }), 'Invalid parameter: currentPageIndex'],
  ]
  for (const [sentence, body, message] of refusals) {
    test(`${sentence} is refused`, () => assert.throws(() => parse(body), { message, kind: 'invalid' }))
  }

  test('has numbers as numbers or as texts, and null for what is not sent', () => {
    const { fields, params } = parse(entity({ ...query, pageSize: '20', currentPageIndex: 3, maxResults: '' }))
    assert.deepEqual(fields, {
      queryParams: null,
      ...query,
      pageProviderName: null,
      pageSize: 20,
      currentPageIndex: 3,
      maxResults: null,
      sortBy: null,
      sortOrder: null,
      contentViewData: null,
    })
    assert.equal(params, undefined)
  })
  test('keeps what is no text as JSON', () => {
    const { fields } = parse(entity({ ...query, contentViewData: { a: [1] } }))
    assert.equal(fields.contentViewData, '{"a":[1]}')
  })
})
