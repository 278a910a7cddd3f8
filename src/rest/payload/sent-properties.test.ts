import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { administrator, alice, aModel } from '../../../test/support/rendering.ts'
import { defineDocumentType } from '../../model/document-type.ts'
import { complex, list, string } from '../../model/field.ts'
import type { JsonObject } from '../../model/properties/coercion.ts'
import type { BlobValue, Properties } from '../../model/properties/property.ts'
import { defineSchema } from '../../model/schema.ts'
import { noSentBlobs } from './sent-blobs.ts'
import { type PropertyReading, readProperties } from './sent-properties.ts'

const model = aModel({
  schemas: [
    defineSchema('grades', {
      prefix: 'g',
      fields: { mark: string(), person: complex({ name: string(), city: string({ default: 'Rome' }) }), words: list(string()) },
      secured: ['mark'],
      removed: { gone: {}, title: { fallback: 'person/name' } },
    }),
  ],
  documentTypes: [defineDocumentType('Graded', { extends: 'File', schemas: ['grades'] })],
})

const blob: BlobValue = {
  key: 'k',
  name: 'old.pdf',
  'mime-type': 'application/pdf',
  encoding: null,
  digest: 'd41d',
  digestAlgorithm: 'MD5',
  length: 3,
}

const read = (sent: JsonObject, properties: Properties = {}, given: Partial<PropertyReading> = {}) =>
  readProperties(sent, {
    model,
    shape: model.shapeOf({ type: 'Graded' }),
    principal: administrator,
    current: { properties },
    blobs: noSentBlobs,
    emptyStringIsNull: false,
    ...given,
  })

describe('the names of properties', () => {
  test('carry the prefix or the name of their schema', () => {
    assert.deepEqual(read({ 'dc:title': 'a', 'dublincore:source': 'b', 'grades:words': ['c'] }), {
      'dc:title': 'a',
      'dc:source': 'b',
      'g:words': ['c'],
    })
  })

  const ignored = [
    'title',
    'xx:title',
    'dc:unknown',
    'g:person/name',
    'note:note',
    'uid:major_version',
    'common:size',
    'g:gone',
    '',
  ]
  for (const name of ignored) test(`${JSON.stringify(name)} is ignored`, () => assert.deepEqual(read({ [name]: 'x' }), {}))
})

describe('only what changes is given', () => {
  const rows: [string, JsonObject, Properties][] = [
    ['the same text', { 'dc:title': 'a' }, { 'dc:title': 'a' }],
    ['null for what is unset', { 'dc:title': null }, {}],
    ['an empty list for an unset one', { 'dc:subjects': [] }, {}],
    ['null for an empty list', { 'dc:subjects': null }, { 'dc:subjects': [] }],
    ['an unset part as it is shown', { 'g:person': { name: null, city: 'Rome' } }, {}],
    ['the same date written otherwise', { 'dc:issued': '2031-01-01' }, { 'dc:issued': '2031-01-01T00:00:00.000Z' }],
    ['an ignored blob', { 'file:content': { data: 'http://elsewhere/x' } }, { 'file:content': blob }],
    ['a number written as text', { 'dc:title': 5 }, { 'dc:title': '5' }],
  ]
  for (const [name, sent, stored] of rows) test(`${name} is no change`, () => assert.deepEqual(read(sent, stored), {}))

  test('null unsets', () => assert.deepEqual(read({ 'dc:title': null }, { 'dc:title': 'a' }), { 'dc:title': null }))

  test('a part is replaced as a whole', () => {
    const stored = { 'g:person': { name: 'ann', city: 'Oslo' } }
    assert.deepEqual(read({ 'g:person': { city: null } }, stored), { 'g:person': { name: null, city: null } })
  })

  test('null removes a blob', () =>
    assert.deepEqual(read({ 'file:content': null }, { 'file:content': blob }), { 'file:content': null }))

  test('an empty text stays one, unless the client is an old one', () => {
    assert.deepEqual(read({ 'dc:title': '' }), { 'dc:title': '' })
    assert.deepEqual(read({ 'dc:title': '' }, { 'dc:title': 'a' }, { emptyStringIsNull: true }), { 'dc:title': null })
  })
})

describe('a wrong value', () => {
  test('is refused by the name of its place', () => {
    const refused = (sent: JsonObject, xpath: string) =>
      assert.throws(() => read(sent), { kind: 'invalid', message: `Unable to deserialize property: ${xpath}` })
    refused({ 'dc:issued': 'someday' }, 'dc:issued')
    refused({ 'dc:subjects': 'art' }, 'dc:subjects')
    refused({ 'g:words': ['a', {}] }, 'g:words/1')
    refused({ 'dc:creator': { 'entity-type': 'user' } }, 'dc:creator')
    refused({ 'file:filename': ['a.pdf'] }, 'file:filename')
  })
})

describe('a secured property', () => {
  const message = 'Cannot set the value of property: mark since it is readonly'

  test('is set by administrators only', () => {
    assert.deepEqual(read({ 'g:mark': 'A' }), { 'g:mark': 'A' })
    assert.throws(() => read({ 'g:mark': 'A' }, {}, { principal: alice }), { kind: 'invalid', message })
    assert.throws(() => read({ 'g:mark': null }, { 'g:mark': 'B' }, { principal: alice }), { kind: 'invalid', message })
  })

  test('may be sent back as it is by anyone', () => {
    assert.deepEqual(read({ 'g:mark': 'B', 'dc:title': 'x' }, { 'g:mark': 'B' }, { principal: alice }), { 'dc:title': 'x' })
  })
})

describe('a text given as a blob', () => {
  test('is the text of a long text field and nothing else', () => {
    const note = { shape: model.shapeOf({ type: 'Note' }) }
    assert.deepEqual(read({ 'note:note': { data: 'hello', 'mime-type': 'text/plain' } }, {}, note), { 'note:note': 'hello' })
    assert.throws(() => read({ 'note:note': { data: 'http://elsewhere/x' } }, {}, note))
    assert.throws(() => read({ 'dc:title': { data: 'hello' } }))
  })
})

describe('a field that was removed', () => {
  test('names the file it used to name', () => {
    const renamed = { 'file:content': { ...blob, name: 'new.pdf' } }
    assert.deepEqual(read({ 'file:filename': 'new.pdf' }, { 'file:content': blob }), renamed)
    assert.deepEqual(read({ 'file:filename': 'old.pdf' }, { 'file:content': blob }), {})
  })

  test('takes what any text does', () => {
    const named = (name: string) => ({ 'file:content': { ...blob, name } })
    assert.deepEqual(read({ 'file:filename': 5 }, { 'file:content': blob }), named('5'))
    assert.deepEqual(read({ 'file:filename': true }, { 'file:content': blob }), named('true'))
  })

  test('names nothing where there is no file', () => assert.deepEqual(read({ 'file:filename': 'new.pdf' }), {}))

  test('names a file that is sent beside it', () => {
    const sent = { data: 'text' }
    const blobs = { ...noSentBlobs, find: (json: JsonObject) => (json === sent ? blob : undefined) }
    const changed = read({ 'file:filename': 'new.pdf', 'file:content': sent }, {}, { blobs })
    assert.deepEqual(changed, { 'file:content': { ...blob, name: 'new.pdf' } })
  })

  test('inside the items of a list names the file of its item', () => {
    const kept = [{ data: 'first' }, { data: 'second' }]
    const blobs = { ...noSentBlobs, find: (json: JsonObject) => (kept.includes(json as { data: string }) ? blob : undefined) }
    const sent = { 'files:files': [{ file: kept[0], filename: 'new.pdf' }, { file: kept[1] }, { filename: 'lost.pdf' }] }
    const changed = read(sent as JsonObject, {}, { blobs })
    assert.deepEqual(changed, { 'files:files': [{ file: { ...blob, name: 'new.pdf' } }, { file: blob }, { file: null }] })
  })

  test('of a plugin goes where the plugin says', () => {
    const stored = { 'g:person': { name: 'ann', city: 'Oslo' } }
    assert.deepEqual(read({ 'grades:title': 'bob' }, stored), { 'g:person': { name: 'bob', city: 'Oslo' } })
  })
})
