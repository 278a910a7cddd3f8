import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineDocumentType, defineFacet, offeredSubtypes } from './document-type.ts'

test('a type has nothing but what it declares', () => {
  assert.deepEqual(defineDocumentType('Invoice', { extends: 'File', schemas: ['invoice'] }), {
    name: 'Invoice',
    extends: 'File',
    schemas: ['invoice'],
    facets: [],
    subtypes: [],
    forbiddenSubtypes: [],
  })
})

test('child types that a contribution forbade are not offered', () => {
  const type = defineDocumentType('Box', { subtypes: ['File', 'Note', 'Folder'], forbiddenSubtypes: ['Note', 'Video'] })
  assert.deepEqual(offeredSubtypes(type), ['File', 'Folder'])
})

test('a facet brings schemas or none', () => {
  assert.deepEqual(defineFacet('Marked'), { name: 'Marked', schemas: [] })
  assert.deepEqual(defineFacet('Dated', ['dates']), { name: 'Dated', schemas: ['dates'] })
})
