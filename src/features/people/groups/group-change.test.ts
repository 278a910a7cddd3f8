import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changedValues, type GroupChange } from './group-change.ts'

describe('a changed group', () => {
  const labels: readonly [rule: string, stored: string | null, change: GroupChange, expected: string | null][] = [
    ['keeps its label when none is sent', 'Old', {}, 'Old'],
    ['takes the label among the properties', 'Old', { properties: { grouplabel: 'In' } }, 'In'],
    ['takes the label beside the properties', 'Old', { label: 'Out' }, 'Out'],
    ['prefers the one among the properties', 'Old', { properties: { grouplabel: 'In' }, label: 'Out' }, 'In'],
    ['unless that is the stored one', 'Old', { properties: { grouplabel: 'Old' }, label: 'Out' }, 'Out'],
    ['loses its label to a null among the properties', 'Old', { properties: { grouplabel: null } }, null],
    ['that had no label takes the one beside', null, { properties: { grouplabel: null }, label: 'Out' }, 'Out'],
    ['that had no label takes the one beside an empty one', null, { properties: { grouplabel: '' }, label: 'Out' }, 'Out'],
    ['that had no label prefers the one among the properties', null, { properties: { grouplabel: 'In' }, label: 'Out' }, 'In'],
  ]
  for (const [rule, stored, change, expected] of labels) {
    test(rule, () => assert.equal(changedValues('staff', { grouplabel: stored }, change)['grouplabel'], expected))
  }

  test('keeps its name whatever the properties say, and what they do not mention', () => {
    const stored = { groupname: 'staff', grouplabel: null, description: 'before', tenantId: 'acme' }
    const change = { properties: { groupname: 'other', description: 'after' } }
    assert.deepEqual(changedValues('staff', stored, change), { ...stored, description: 'after' })
  })
})
