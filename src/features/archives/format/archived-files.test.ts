import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { blobsIn } from '../../../model/properties/property.ts'
import { archivedProperties, propertiesOfArchived } from './archived-files.ts'

const key = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
const file = { key, name: 'a', 'mime-type': null, encoding: null, digest: key, digestAlgorithm: 'SHA-256', length: 5 }

describe('files in properties of an archive', () => {
  test('come back as they went', () => {
    const properties = { 'file:content': file, 'files:files': [{ file }], 'x:list': ['a', null, { key: 'k', value: 1 }] }
    assert.deepEqual(propertiesOfArchived(archivedProperties(properties) as never), properties)
  })

  test('are those that lie in it, with a digest that is one', () => {
    const { key: _, ...shown } = file
    const data = `blobs/${key.slice(0, 2)}/${key}`
    for (const other of [
      file,
      { ...file, key: '../../../etc/passwd' },
      { ...shown, data: 'blobs/../x' },
      { ...shown, data, digest: 'a\r\nSet-Cookie: b' },
      { ...shown, data, digestAlgorithm: 'a b' },
      { ...shown, data, length: -1 },
    ])
      assert.deepEqual(
        blobsIn(propertiesOfArchived({ 'file:content': other })['file:content'] ?? null),
        [],
        JSON.stringify(other),
      )
  })
})
