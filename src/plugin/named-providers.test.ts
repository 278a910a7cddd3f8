import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { vendorIdentifiers } from '../base/vendor.ts'
import { definePageProvider } from '../core/search/providers/page-provider.ts'
import { defineEntityProvider } from '../rest/entity-provider.ts'
import { nameProviders } from './named-providers.ts'

const list = defineEntityProvider({
  kind: 'entities',
  name: 'platform_tasks',
  listType: 'tasks',
  entityType: 'task',
  list: async () => ({ values: [], total: 0 }),
})
const query = definePageProvider({ name: 'platform_tasks', pattern: 'SELECT * FROM TaskDoc' })
const named = (...pageProviders: readonly (typeof list | typeof query)[]) =>
  nameProviders({ pageProviders }, vendorIdentifiers('acme'))

describe('page providers of all plugins', () => {
  test('have the word of the vendor in their names', () => {
    assert.deepEqual([...named(list).entities.keys()], ['acme_tasks'])
    assert.deepEqual(
      named(query).queries.map(({ name }) => name),
      ['acme_tasks'],
    )
  })
  test('give way to a later one of their name, of either kind', () => {
    assert.deepEqual([named(list, query).entities.size, named(list, query).queries.length], [0, 1])
    assert.deepEqual([named(query, list).entities.size, named(query, list).queries.length], [1, 0])
  })
  test('are gone when a later one that is not enabled says so', () => {
    for (const gone of [
      { ...list, enabled: false },
      { ...query, enabled: false },
    ]) {
      assert.deepEqual([named(list, gone).entities.size, named(query, gone).queries.length], [0, 0])
    }
  })
})
