import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { builtinModel as model } from '../../../test/support/model/builtin-model.ts'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import type { Document } from '../../model/document.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import type { BlobStore } from '../../store/blobs/blob-store.ts'
import { findBlobAt, findBlobPlace } from './blob-place.ts'
import { blobsOf, mainBlob } from './document-blobs.ts'
import { openBlob } from './open-blob.ts'

const blob = (name: string): BlobValue => ({
  key: name,
  name,
  'mime-type': 'text/plain',
  encoding: null,
  digest: name,
  digestAlgorithm: 'MD5',
  length: 1,
})
const aDocument = (type: string, properties: Properties, given: Partial<Document> = {}) =>
  aStoredDocument({ type, name: 'named', properties, ...given })
const xpathsOf = (document: Document) => blobsOf({ model }, document).map(({ xpath }) => xpath)

describe('the blobs of a document', () => {
  const attached = { 'files:files': [{ file: blob('a') }, { file: null }, { file: blob('b') }] }

  test('are the main one and then the others, with their places', () => {
    const document = aDocument('File', { ...attached, 'file:content': blob('main') })
    assert.deepEqual(xpathsOf(document), ['file:content', 'files:files/0/file', 'files:files/2/file'])
    assert.equal(mainBlob({ model }, document)?.blob.name, 'main')
  })

  test('may lack the main one', () => {
    const document = aDocument('File', attached)
    assert.equal(mainBlob({ model }, document), undefined)
    assert.deepEqual(xpathsOf(document), ['files:files/0/file', 'files:files/2/file'])
  })

  test('of what has the facet of a picture are its file and its views alone', () => {
    const properties = { ...attached, 'file:content': blob('main'), 'picture:views': [{ content: blob('view') }] }
    assert.deepEqual(xpathsOf(aDocument('File', properties, { facets: ['Picture'] })), [
      'file:content',
      'picture:views/0/content',
    ])
  })

  test('of a note begin with its text, and end with what is attached', async () => {
    const document = aDocument('Note', { ...attached, 'note:note': 'naïve' })
    assert.deepEqual(xpathsOf(document), ['note:note', 'files:files/0/file', 'files:files/2/file'])
    const main = mainBlob({ model }, document)
    assert.deepEqual([main?.blob.name, main?.blob.length, main?.blob.encoding], ['named.txt', 6, 'UTF-8'])
    const nowhere = {} as BlobStore
    assert.equal(main && (await text(await openBlob(nowhere, main))), 'naïve')
    assert.equal(main && (await text(await openBlob(nowhere, main, { start: 0, end: 1 }))), 'na')
  })

  test('of a folder are none', () => assert.deepEqual(xpathsOf(aDocument('Folder', {})), []))
})

describe('an address', () => {
  test('may point to a place without a blob, and then there is none', () => {
    const document = aDocument('File', {})
    assert.equal(findBlobPlace({ model }, document, 'blobholder:0').kind, 'property')
    assert.equal(findBlobAt({ model }, document, 'blobholder:0'), undefined)
  })

  test('of a property that the document has no place for points nowhere', () => {
    assert.equal(findBlobPlace({ model }, aDocument('Folder', {}), 'file:content').kind, 'nowhere')
  })

  test('may point to a text', () => {
    assert.equal(findBlobPlace({ model }, aDocument('Note', { 'note:note': 'x' }), 'blobholder:0').kind, 'text')
    assert.equal(findBlobPlace({ model }, aDocument('Note', { 'note:note': 'x' }), 'note:note').kind, 'text')
  })
})
