import assert from 'node:assert/strict'
import { test } from 'node:test'
import { trashedAt } from './trashed-at.ts'

test('the name of what is in the trash tells since when', () => {
  assert.equal(trashedAt('/work/plan.pdf._1779278400000_.trashed'), '2026-05-20T12:00:00.000Z')
})

test('what was taken along, and what is not in the trash, tells nothing', () => {
  for (const path of ['/work/plan.pdf', '/old._1779278400000_.trashed/plan.pdf', `/x._${'9'.repeat(20)}_.trashed`, null]) {
    assert.equal(trashedAt(path), undefined, String(path))
  }
})
