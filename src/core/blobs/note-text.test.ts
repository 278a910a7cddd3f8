import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findCharset, findNoteText } from './note-text.ts'

/** Any text but one with a zero, or with the mark that is dropped at the beginning. */
const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && !text.startsWith('\ufeff'))
const wide = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('the text of a note', () => {
  test('is the text of the file, in UTF-8', () => {
    fc.assert(fc.property(texts, (text) => assert.equal(findNoteText(Buffer.from(text), undefined), text)))
  })
  test('is the text of the file, in UTF-16 of either order with its mark', () => {
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(findNoteText(wide(text), undefined), text)
        assert.equal(findNoteText(wide(text).swap16(), undefined), text)
      }),
    )
  })
  test('is found in whatever bytes, but for a text with zeros', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.option(fc.string(), { nil: undefined }), (bytes, charset) => {
        const text = findNoteText(bytes, charset)
        assert.equal(text?.includes('\0') ?? false, false)
      }),
    )
  })
  test('is none where there are zeros that belong to no encoding', () => {
    assert.equal(findNoteText(Buffer.from('ab\0\0cd'), undefined), undefined)
  })
})

describe('the charset of a type', () => {
  const rows: readonly [type: string, charset: string | undefined][] = [
    ['text/plain; charset=UTF-8', 'UTF-8'],
    ['text/plain;charset="ISO-8859-1"', 'ISO-8859-1'],
    ['text/html; version=5; Charset = utf-16le; x=y', 'utf-16le'],
    ['text/plain', undefined],
    ['text/plain; charset=', undefined],
  ]
  for (const [type, charset] of rows) test(`${type} is ${charset}`, () => assert.equal(findCharset(type), charset))
})
