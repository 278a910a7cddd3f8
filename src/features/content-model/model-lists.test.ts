import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aModel } from '../../../test/support/model/builders.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { complex, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { writeAllFacets, writeAllSchemas, writeAllTypes } from './model-lists.ts'

const model = aModel({
  schemas: [
    defineSchema('note', { fields: { note: string({ maxLength: 9 }) } }),
    defineSchema('heading', { prefix: 'hd', fields: { title: string(), parts: list(complex({ name: string() })) } }),
  ],
  facets: [defineFacet('Noted', ['note']), defineFacet('Marked')],
  documentTypes: [
    defineDocumentType('Page', { extends: 'Document', schemas: ['heading'], facets: ['Noted'] }),
    defineDocumentType('Document', {}),
  ],
})

const headingFields = { title: 'string', parts: { type: 'complex[]', fields: { name: 'string' } } }

describe('lists of definitions', () => {
  test('have types by name with the names of their schemas, and schemas with their fields beside the prefix', () => {
    assert.deepEqual(writeAllTypes(model), {
      doctypes: {
        Document: { parent: 'None!!!', facets: [], schemas: [] },
        Page: { parent: 'Document', facets: ['Noted'], schemas: ['heading', 'note'] },
      },
      schemas: { heading: { '@prefix': 'hd', ...headingFields }, note: { '@prefix': '', note: 'string' } },
    })
  })
  test('have schemas with an empty prefix where none is declared', () => {
    assert.deepEqual(writeAllSchemas(model), [
      { name: 'heading', '@prefix': 'hd', fields: headingFields },
      { name: 'note', '@prefix': '', fields: { note: 'string' } },
    ])
  })
  test('have facets, with schemas only where they bring some', () => {
    assert.deepEqual(writeAllFacets(model), [
      { name: 'Marked' },
      { name: 'Noted', schemas: [{ name: 'note', '@prefix': '', fields: { note: 'string' } }] },
    ])
  })
  test('are in the order of names', () => {
    assert.deepEqual(Object.keys(writeAllTypes(model).doctypes), ['Document', 'Page'])
    assert.deepEqual(Object.keys(writeAllTypes(model).schemas), ['heading', 'note'])
  })
})
