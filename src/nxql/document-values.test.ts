import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aModel } from '../../test/support/model/builders.ts'
import { builtinModel } from '../../test/support/model/builtin-model.ts'
import { defineDocumentType } from '../model/document-type.ts'
import { blob, complex, date, list, string } from '../model/field.ts'
import { defineSchema } from '../model/schema.ts'
import { blobDigests, blobKeys, createDocumentValues, listName } from './document-indexing.ts'

const indexedText = string({ indexed: true })
const model = aModel({
  schemas: [
    defineSchema('a', {
      fields: {
        kept: list(string(), { indexed: true }),
        other: list(string()),
        days: list(date(), { indexed: true }),
        pairs: list(complex({ first: indexedText, second: indexedText, third: string() })),
        files: list(complex({ file: blob() })),
        main: blob(),
      },
    }),
  ],
  documentTypes: [defineDocumentType('Thing', { schemas: ['a'] })],
})
const values = createDocumentValues(model)

const aBlob = (key: string) => ({
  key,
  name: null,
  'mime-type': null,
  encoding: null,
  digest: key,
  digestAlgorithm: 'MD5',
  length: 1,
})

test('every item of an indexed list of texts is kept once, and of no other list', () => {
  const properties = { 'a:kept': ['x', 'y', 'x', null], 'a:other': ['z'], 'a:days': ['2024-05-01T00:00:00.000Z'] }
  assert.deepEqual(values.valuesOf(properties), [
    ['a:kept', 'x'],
    ['a:kept', 'y'],
  ])
})

test('indexed members of items are kept under the name of the list and their own', () => {
  const pairs = [{ first: 'x', second: 'y', third: 'z' }, { first: 'x', second: null }, null]
  assert.deepEqual(values.valuesOf({ 'a:pairs': pairs }), [
    [listName('a:pairs', 'first'), 'x'],
    [listName('a:pairs', 'second'), 'y'],
  ])
})

test('the keys and digests of all files are kept, each once', () => {
  const properties = { 'a:main': aBlob('k1'), 'a:files': [{ file: aBlob('k2') }, { file: aBlob('k1') }, { file: null }] }
  assert.deepEqual(values.valuesOf(properties), [
    [blobKeys, 'k1'],
    [blobKeys, 'k2'],
    [blobDigests, 'k1'],
    [blobDigests, 'k2'],
  ])
  assert.deepEqual(
    values.blobsOf(properties).map(({ key }) => key),
    ['k1', 'k2', 'k1'],
  )
})

test('it is known which properties are looked at', () => {
  const listed = ['kept', 'other', 'days', 'pairs', 'files', 'main'].filter((name) => values.isListed(`a:${name}`))
  assert.deepEqual(listed, ['kept', 'pairs', 'files', 'main'])
})

test('the lists that people and the server search by are indexed', () => {
  const { names } = createDocumentValues(builtinModel)
  for (const name of [
    'dc:subjects',
    'dc:contributors',
    'collectionMember:collectionIds',
    'nt:actors',
    'nt:delegatedActors',
    'nt:targetDocumentsIds',
    listName('nxtag:tags', 'label'),
    blobKeys,
  ]) {
    assert.ok(names.has(name), name)
  }
})
