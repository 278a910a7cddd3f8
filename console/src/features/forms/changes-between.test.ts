import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesBetween, conflictsBetween } from './changes-between.ts'

test('only what was changed is sent, and an emptied text is taken away', () => {
  const before = { 'dc:title': 'a', 'dc:source': 'b', 'dc:rights': null, 'dc:subjects': ['x'] }
  const after = { 'dc:title': 'a', 'dc:source': '', 'dc:rights': '', 'dc:subjects': ['x', 'y'] }
  assert.deepEqual(changesBetween(before, after), { 'dc:source': null, 'dc:subjects': ['x', 'y'] })
})

test('two people disagree only about what both have changed, and not alike', () => {
  const base = { a: '1', b: '1', c: '1', d: '1' }
  const mine = { a: '2', b: '2', c: '2', d: '1' }
  const theirs = { a: '3', b: '2', c: '1', d: '3' }
  assert.deepEqual(conflictsBetween(base, mine, theirs), ['a'])
})
