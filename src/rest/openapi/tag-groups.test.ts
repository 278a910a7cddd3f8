import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { groupTags, orderTags } from './tag-groups.ts'

describe('the groups of the documentation', () => {
  test('come in the order in which people need them, whatever order the tags have', () => {
    const tags = ['runningstatus', 'operations', 'user', 'upload', 'search', 'id', 'path', '@children']
    const titles = groupTags(tags).map(({ title }) => title)
    assert.deepEqual(titles, ['Documents', 'Search', 'Uploads', 'Users and groups', 'The server', 'Every operation'])
    assert.deepEqual(orderTags(tags).slice(0, 3), ['path', 'id', '@children'])
  })
  test('have what plugins add before the server itself, and their adapters among documents', () => {
    const groups = groupTags(['runningstatus', 'path', '@stamps', 'invoices', 'invoices'])
    assert.deepEqual(groups, [
      { title: 'Documents', tags: ['path', '@stamps'] },
      { title: 'invoices', tags: ['invoices'] },
      { title: 'The server', tags: ['runningstatus'] },
    ])
  })
})
