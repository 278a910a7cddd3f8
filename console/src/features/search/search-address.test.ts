import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { criteriaOf, parametersOf } from '../../api/criteria.ts'
import { addressFor, criteriaIn, isEmpty, parseSearch } from './search-address.ts'

const criteria = {
  words: 'annual report',
  below: '/default-domain/workspaces',
  chosen: { creator: ['alice', 'bob'], size: ['tiny'] },
  sort: { by: 'dc:modified', order: 'desc' },
} as const

describe('a search', () => {
  test('is the same in its address', () => assert.deepEqual(criteriaIn(parseSearch({ ...addressFor(criteria) })), criteria))

  test('is the same after it was saved', () => {
    const params = parametersOf(criteria)
    assert.deepEqual(criteriaOf({ params, sortBy: 'dc:modified', sortOrder: 'DESC' }), criteria)
    const natural = { ...params, dc_creator_agg: ['alice', 'bob'] }
    assert.deepEqual(criteriaOf({ params: natural, sortBy: 'dc:modified', sortOrder: 'desc' }), criteria)
  })

  test('has only what makes sense of an address', () => {
    const odd = {
      words: 7,
      below: {},
      creator: 'alice',
      size: [1, 'tiny', ''],
      sort: "dc:title' OR",
      order: 'up',
      layout: 'spiral',
    }
    assert.deepEqual(parseSearch(odd), { words: '7', creator: ['alice'], size: ['tiny'] })
    assert.equal(parseSearch({ words: 'x'.repeat(9_000) }).words?.length, 500)
  })

  test('for nothing is empty', () => {
    assert.ok(isEmpty(criteriaIn(parseSearch({ words: '  ', sort: 'dc:title' }))))
    assert.ok(!isEmpty(criteria))
  })
})
