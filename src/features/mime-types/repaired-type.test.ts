import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { BlobValue } from '../../model/properties/property.ts'
import { repairedBlob, repairedProperties } from './repair-listener.ts'

const aBlob = (name: string | null, type: string | null, key = 'k'): BlobValue => ({
  key,
  name,
  'mime-type': type,
  encoding: null,
  digest: key,
  digestAlgorithm: 'MD5',
  length: 1,
})

describe('the type of a blob', () => {
  const rows: readonly [what: string, name: string | null, type: string | null, repaired: string][] = [
    ['is that of its name when there was none', 'a.pdf', null, 'application/pdf'],
    ['is that of its name when it was any bytes', 'a.pdf', 'application/octet-stream', 'application/pdf'],
    ['is that of its name when it began with that', 'a.pdf', 'application/octet-stream; x=y', 'application/pdf'],
    ['is any bytes when the name says nothing', 'a', null, 'application/octet-stream'],
    ['is any bytes when there is no name', null, null, 'application/octet-stream'],
    ['is the one that is stored for another name of it', 'a.pdf', 'image/pjpeg', 'image/jpeg'],
    ['stays when it is one that is stored', 'a.pdf', 'text/plain', 'text/plain'],
    ['stays when it is unknown', 'a.pdf', 'application/json', 'application/json'],
  ]
  for (const [what, name, type, repaired] of rows) {
    test(what, () => assert.equal(repairedBlob(aBlob(name, type))['mime-type'], repaired))
  }

  test('is right after one repair, whatever it was', () => {
    const types = fc.option(fc.oneof(fc.string(), fc.constantFrom('application/octet-stream', 'image/pjpeg', 'text/csv')))
    fc.assert(
      fc.property(fc.option(fc.string()), types, (name, type) => {
        const once = repairedBlob(aBlob(name, type))
        assert.equal(repairedBlob(once), once)
      }),
    )
  })
})

describe('among the properties of a document', () => {
  const names = ['file:content', 'files:files']
  const old = aBlob('old.pdf', null, 'old')
  const item = (file: BlobValue | null) => ({ file })

  test('only blobs that were not there before are repaired', () => {
    const before = { 'files:files': [item(old)] }
    const after = { 'files:files': [item(old), item(aBlob('b.pdf', null))] }
    assert.deepEqual(repairedProperties(names, before, after), {
      'files:files': [item(old), item(aBlob('b.pdf', 'application/pdf'))],
    })
  })
  test('a blob that took the place of another is repaired', () => {
    const repaired = repairedProperties(names, { 'file:content': old }, { 'file:content': aBlob('b.pdf', null) })
    assert.deepEqual(repaired, { 'file:content': aBlob('b.pdf', 'application/pdf') })
  })
  test('what needs no repair is left as it is, the very same', () => {
    const after = { 'dc:title': 'a', 'file:content': aBlob('a.pdf', 'application/pdf'), 'files:files': [item(null)] }
    assert.equal(repairedProperties(names, {}, after), after)
  })
  test('properties that hold no blobs are not looked at', () => {
    const after = { 'dc:title': aBlob('a.pdf', null) }
    assert.equal(repairedProperties(names, {}, after), after)
  })
})
