import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aDocument, aModel } from '../../test/support/model/builders.ts'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import { defineDocumentType, defineFacet } from './document-type.ts'
import { long, string } from './field.ts'
import { ownFacets, unknownFacet, withFacet, withOwnFacets, withoutFacet } from './own-facets.ts'
import { defineSchema } from './schema.ts'

const model = builtinModel

test('a document keeps the facets that its type does not give it, each once and in their order', () => {
  assert.deepEqual(ownFacets(model, 'File', ['Thumbnail', 'Versionable', 'Notifiable', 'Thumbnail']), ['Thumbnail', 'Notifiable'])
  assert.deepEqual(ownFacets(model, 'Folder', ['Versionable']), ['Versionable'])
})
for (const facet of ['Nope', 'Immutable', '']) {
  test(`the facet ${JSON.stringify(facet)} cannot be set`, () => {
    assert.throws(() => ownFacets(model, 'File', ['Thumbnail', facet]), { code: unknownFacet.code, kind: 'invalid' })
  })
}

test('one more facet comes last; one that the document has already changes nothing', () => {
  const file = { type: 'File', facets: ['Thumbnail'] }
  assert.deepEqual(withFacet(model, file, 'Notifiable'), ['Thumbnail', 'Notifiable'])
  assert.deepEqual(withFacet(model, file, 'Thumbnail'), ['Thumbnail'])
  assert.deepEqual(withFacet(model, file, 'Versionable'), ['Thumbnail'])
})
test('a facet of its own can be taken away; one of its type stays', () => {
  const file = { type: 'File', facets: ['Thumbnail', 'Notifiable'] }
  assert.deepEqual(withoutFacet(model, file, 'Thumbnail'), ['Notifiable'])
  assert.deepEqual(withoutFacet(model, file, 'Versionable'), ['Thumbnail', 'Notifiable'])
  assert.throws(() => withoutFacet(model, file, 'Nope'), { code: 'unknownFacet', message: 'No such facet: Nope' })
})
test('facets bring the defaults of their schemas and take away what those held', () => {
  const rated = aModel({
    schemas: [defineSchema('rating', { prefix: 'rat', fields: { stars: long({ default: 3 }), remark: string() } })],
    facets: [defineFacet('Rated', ['rating'])],
    documentTypes: [defineDocumentType('Document', {}), defineDocumentType('Bare', { extends: 'Document' })],
  })
  const richer = withOwnFacets(rated, aDocument({ type: 'Bare' }), ['Rated'])
  assert.deepEqual([richer.facets, richer.properties], [['Rated'], { 'rat:stars': 3 }])
  const poorer = withOwnFacets(rated, { ...richer, properties: { 'rat:stars': 5, 'rat:remark': 'good' } }, [])
  assert.deepEqual([poorer.facets, poorer.properties], [[], {}])
})
