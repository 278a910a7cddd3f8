import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { createThumbnails } from './thumbnail-factory.ts'

const factories = createThumbnails([
  { name: 'pictures', facet: 'Picture' },
  { name: 'files' },
  { name: 'videos', facet: 'Video' },
])

const rows: readonly [type: string, factory: string][] = [
  ['Picture', 'pictures'],
  ['Video', 'videos'],
  ['File', 'files'],
  ['Folder', 'files'],
]

for (const [type, name] of rows) {
  test(`a ${type} is shown by the factory of ${name}`, () => {
    assert.equal(factories.factoryFor(builtinModel.shapeOf({ type, facets: [] })).name, name)
  })
}

test('without a factory nothing is made of files', () => {
  const { canMake, make } = createThumbnails([]).factoryFor(builtinModel.shapeOf({ type: 'File', facets: [] }))
  assert.deepEqual([canMake, make], [undefined, undefined])
})
