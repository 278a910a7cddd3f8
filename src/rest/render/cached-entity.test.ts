import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aRenderContext, aSession } from '../../../test/support/rendering.ts'
import { aStoredDocument } from '../../../test/support/stored-document.ts'
import { attachCache } from '../../model/document.ts'
import { findWritten, writeDocument } from './document-entity.ts'

const document = aStoredDocument({ type: 'File', path: '/a', properties: { 'dc:title': 'A' } })

attachCache(document, () => {})

const asking = (headers: { [name: string]: string }) => aRenderContext(aSession([document]), { headers })

describe('the entity of a document as text', () => {
  test('is the entity, each time it is asked for and for each wish', () => {
    for (const properties of ['*', 'dublincore', '*', 'file', 'dublincore']) {
      const context = asking({ properties })
      assert.deepEqual(
        JSON.parse(findWritten(context, document)?.text ?? ''),
        JSON.parse(JSON.stringify(writeDocument(context, document))),
      )
    }
  })

  test('is the very same text for the same document and another for a changed one', () => {
    const context = asking({ properties: '*' })
    const changed = { ...document, properties: { 'dc:title': 'B' } }
    assert.equal(findWritten(context, document), findWritten(asking({ properties: '*' }), document))
    assert.match(findWritten(context, changed)?.text ?? '', /"dc:title":"B"/)
  })

  const wishes: [what: string, headers: { [name: string]: string }][] = [
    ['an enricher', { 'enrichers-document': 'permissions' }],
    ['a reference to fetch', { 'fetch-document': 'properties' }],
    ['an enricher of blobs', { 'enrichers-blob': 'appLinks' }],
  ]
  for (const [what, headers] of wishes) {
    test(`is not cached when ${what} is asked for`, () => assert.equal(findWritten(asking(headers), document), undefined))
  }

  test('is not cached for a version, a proxy or a document under retention', () => {
    const context = asking({})
    for (const special of [{ isVersion: true }, { isProxy: true }, { retainUntil: '2040-01-01T00:00:00.000Z' }]) {
      assert.equal(findWritten(context, { ...document, ...special }), undefined)
    }
  })
})
