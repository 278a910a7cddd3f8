import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtinModel } from '../../../test/support/model/builtin-model.ts'
import { defaultRenditionName, type RenditionReason } from './default-rendition.ts'

const rows: readonly [type: string, reason: RenditionReason | undefined, name: string | undefined][] = [
  ['File', undefined, 'xmlExport'],
  ['Folder', undefined, 'xmlExport'],
  ['Folder', 'download', 'containerDefaultRendition'],
  ['Collection', 'download', 'containerDefaultRendition'],
  ['File', 'download', 'mainBlob'],
  ['Picture', 'download', 'mainBlob'],
  ['Note', 'download', 'pdf'],
  ['Relation', 'download', 'xmlExport'],
  ['File', 'publish', 'pdf'],
  ['Note', 'publish', 'pdf'],
  ['Video', 'publish', 'mainBlob'],
  ['Folder', 'publish', undefined],
]

for (const [type, reason, name] of rows) {
  test(`7.4 the default rendition of a ${type} ${reason === undefined ? 'without a reason' : `to ${reason}`} is ${name}`, () => {
    assert.equal(defaultRenditionName({ type }, builtinModel.shapeOf({ type, facets: [] }), reason), name)
  })
}
