import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { facetsWith, type Model, typeOverview, typesWith } from './model-overview.ts'

const fields = { '@prefix': '', fields: {} }
const model: Model = {
  doctypes: {
    Document: { parent: 'None!!!', facets: [], schemas: ['common'] },
    File: { parent: 'Document', facets: ['Versionable'], schemas: ['common', 'file'] },
    Invoice: { parent: 'File', facets: ['Versionable', 'Payable'], schemas: ['common', 'file', 'money'] },
  },
  schemas: ['common', 'file', 'money'].map((name) => ({ name, ...fields })),
  facets: [{ name: 'Versionable' }, { name: 'Payable', schemas: [{ name: 'money', ...fields }] }],
  lifecycles: [{ name: 'default', initial: 'project', states: [], types: ['File', 'Invoice'] }],
}

describe('an overview of the model', () => {
  test('tells of a type what it extends, what extends it, and what it has by itself', () => {
    assert.deepEqual(typeOverview(model, 'Invoice'), {
      name: 'Invoice',
      supertypes: ['File', 'Document'],
      subtypes: [],
      facets: [
        { name: 'Versionable', isOwn: false },
        { name: 'Payable', isOwn: true },
      ],
      schemas: [
        { name: 'common', isOwn: false },
        { name: 'file', isOwn: false },
        { name: 'money', isOwn: true },
      ],
      lifecycle: 'default',
    })
    assert.deepEqual(typeOverview(model, 'Document')?.subtypes, ['File'])
    assert.equal(typeOverview(model, 'Document')?.lifecycle, undefined)
    assert.equal(typeOverview(model, 'constructor'), undefined)
  })

  test('tells who has a facet or a schema', () => {
    assert.deepEqual(typesWith(model, 'facets', 'Versionable'), ['File', 'Invoice'])
    assert.deepEqual(typesWith(model, 'schemas', 'money'), ['Invoice'])
    assert.deepEqual(facetsWith(model, 'money'), ['Payable'])
  })
})
