import assert from 'node:assert/strict'
import { test } from 'node:test'
import { layoutFor } from './layout.ts'

test('a form begins with what every document has, and ends with what only its type has', () => {
  const xpaths = ['inv:amount', 'dc:source', 'dc:title', 'dc:created', 'inv:paid', 'nxtag:tags', 'dc:nature']
  assert.deepEqual(layoutFor(xpaths).groups, [
    { label: 'main', fields: ['dc:title'] },
    { label: 'filing', fields: ['dc:nature'] },
    { label: 'origin', fields: ['dc:source'] },
    { label: 'inv', fields: ['inv:amount', 'inv:paid'] },
  ])
})
