import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { explainMemberships } from './explained-memberships.ts'

test('a group is explained by the shortest way to it', () => {
  const parents = new Map([
    ['crew', ['staff']],
    ['staff', ['all', 'crew']],
    ['leads', ['all']],
  ])
  assert.deepEqual(explainMemberships({ listed: ['leads', 'crew'], configured: ['members', 'crew'], parents }), [
    { group: 'crew', reason: 'listed', through: [] },
    { group: 'leads', reason: 'listed', through: [] },
    { group: 'members', reason: 'configured', through: [] },
    { group: 'staff', reason: 'nested', through: ['crew'] },
    { group: 'all', reason: 'nested', through: ['leads'] },
  ])
})

test('every step of an explanation is a group in the next one, whatever the groups are', () => {
  const name = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e')
  fc.assert(
    fc.property(fc.array(name), fc.array(name), fc.array(fc.tuple(name, fc.array(name))), (listed, configured, links) => {
      const parents = new Map(links)
      const explained = explainMemberships({ listed, configured, parents })
      assert.equal(new Set(explained.map(({ group }) => group)).size, explained.length)
      for (const { group, through } of explained) {
        const way = [...through, group]
        assert.ok(listed.includes(way[0] ?? '') || configured.includes(way[0] ?? ''))
        for (const [index, step] of way.slice(1).entries()) assert.ok(parents.get(way[index] ?? '')?.includes(step))
      }
    }),
  )
})
