import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeText } from './decoded-text.ts'

describe('characters are', () => {
  const decode = (bytes: Uint8Array, encoding: string | null, isCut = false) => decodeText({ bytes, isCut }, encoding)
  const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9])
  const utf16 = Buffer.from('\ufeffcafé', 'utf16le')

  test('UTF-8 when none is given', () => assert.equal(decode(Buffer.from('café'), null), 'café'))
  test('without the mark that some files start with', () => assert.equal(decode(Buffer.from('\ufeffcafé'), null), 'café'))
  test('what the file is said to be encoded in', () => assert.equal(decode(latin, 'ISO-8859-1'), 'café'))
  test('those of old files where they cannot be UTF-8', () => assert.equal(decode(latin, null), 'café'))
  test('what the file says itself', () => {
    assert.equal(decode(utf16, null), 'café')
    assert.equal(decode(utf16, 'UTF-8'), 'café')
    assert.equal(decode(Buffer.from(utf16).swap16(), null), 'café')
  })
  test('guessed when the encoding is unknown', () => {
    assert.equal(decode(Buffer.from('café'), 'x-klingon'), 'café')
  })
  test('whole, also where the file is cut within one', () => {
    assert.equal(decode(Buffer.from('café').subarray(0, 4), null, true), 'caf')
  })
})
