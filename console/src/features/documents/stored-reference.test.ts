import assert from 'node:assert/strict'
import { test } from 'node:test'
import { referenceIn, storedReference } from './stored-reference.ts'

const plan = { repository: 'default', uid: 'x', path: '/a: b/plan' }

for (const [form, stored, reference] of [
  ['id', 'default:x', { id: 'x' }],
  ['idOnly', 'x', { id: 'x' }],
  ['path', 'default:/a: b/plan', { path: '/a: b/plan' }],
  ['pathOnly', '/a: b/plan', { path: '/a: b/plan' }],
] as const)
  test(`a document that is stored as ${form} is found again by it`, () => {
    assert.equal(storedReference(plan, form), stored)
    assert.deepEqual(referenceIn(stored), reference)
  })

test('a document without a place is stored by its id', () => {
  assert.equal(storedReference({ ...plan, path: null }, 'path'), 'default:x')
})
