import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aModel } from '../../../test/support/model/builders.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { date, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'
import { writeFacet, writeSchema, writeType } from './model-entities.ts'

const title = defineSchema('heading', { prefix: 'hd', fields: { title: string() } })
const note = defineSchema('note', { fields: { note: string() } })
const stamp = defineSchema('stamp', { prefix: 'st', fields: { at: date() } })
const model = aModel({
  schemas: [title, note, stamp],
  facets: [defineFacet('Stamped', ['stamp']), defineFacet('Marked'), defineFacet('Both', ['stamp', 'note'])],
  documentTypes: [
    defineDocumentType('Document', {}),
    defineDocumentType('Page', { extends: 'Document', schemas: ['heading'], facets: ['Marked'] }),
    defineDocumentType('Letter', { extends: 'Page', schemas: ['note'], facets: ['Stamped'] }),
  ],
})

const shownTitle = { 'entity-type': 'schema', name: 'heading', prefix: 'hd', '@prefix': 'hd', fields: { title: 'string' } }
const shownNote = { 'entity-type': 'schema', name: 'note', fields: { note: 'string' } }
const shownStamp = { 'entity-type': 'schema', name: 'stamp', prefix: 'st', '@prefix': 'st', fields: { at: 'date' } }

function typeNamed(name: string) {
  const type = model.types.get(name)
  assert.ok(type)
  return type
}

describe('a schema alone', () => {
  test('shows its prefix under both names', () => assert.deepEqual(writeSchema(title, 'plain'), shownTitle))
  test('shows no prefix that it does not declare', () => assert.deepEqual(writeSchema(note, 'plain'), shownNote))
  test('shows rules when they are wanted', () =>
    assert.deepEqual(writeSchema(note, 'constrained').fields, {
      note: {
        type: 'string',
        constraints: [{ 'entity-type': 'validation_constraint', name: 'string', parameters: {} }],
      },
    }))
})

describe('a type alone', () => {
  test('shows inherited facets and schemas, and those that facets bring', () => {
    assert.deepEqual(writeType(model, typeNamed('Letter'), 'plain'), {
      'entity-type': 'docType',
      name: 'Letter',
      parent: 'Page',
      facets: ['Marked', 'Stamped'],
      schemas: [shownTitle, shownNote, shownStamp],
    })
  })
  test('has null for a parent when it extends nothing', () => {
    assert.deepEqual(writeType(model, typeNamed('Document'), 'plain'), {
      'entity-type': 'docType',
      name: 'Document',
      parent: null,
      facets: [],
      schemas: [],
    })
  })
})

describe('a facet alone', () => {
  test('shows its schemas whole', () =>
    assert.deepEqual(writeFacet(model, { name: 'Both', schemas: ['stamp', 'note'] }, 'plain'), {
      'entity-type': 'facet',
      name: 'Both',
      schemas: [shownStamp, shownNote],
    }))
  test('has no schemas when it brings none', () =>
    assert.deepEqual(writeFacet(model, { name: 'Marked', schemas: [] }, 'plain'), { 'entity-type': 'facet', name: 'Marked' }))
})
