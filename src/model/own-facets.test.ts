import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentModel } from './builtin/content-model.ts'
import { createModel } from './model.ts'
import { ownFacets, unknownFacet } from './own-facets.ts'

const model = createModel(contentModel)

test('a document keeps the facets that its type does not give it, each once and in their order', () => {
  assert.deepEqual(ownFacets(model, 'File', ['Thumbnail', 'Versionable', 'Notifiable', 'Thumbnail']), ['Thumbnail', 'Notifiable'])
  assert.deepEqual(ownFacets(model, 'Folder', ['Versionable']), ['Versionable'])
})
for (const facet of ['Nope', 'Immutable', '']) {
  test(`the facet ${JSON.stringify(facet)} is for nobody`, () => {
    assert.throws(() => ownFacets(model, 'File', ['Thumbnail', facet]), { code: unknownFacet.code, kind: 'invalid' })
  })
}
