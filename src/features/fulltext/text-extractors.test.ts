import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { decodeText, firstBytes } from './decoded-text.ts'
import { jsonToText, textExtractors, xmlToText } from './text-extractors.ts'

const words = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
const nameOf = (mimeType: string) => textExtractors.find((extractor) => extractor.accepts(mimeType))?.name

describe('files are read by what they are', () => {
  for (const [mimeType, name] of [
    ['text/plain', 'text'],
    ['text/csv', 'text'],
    ['text/markdown', 'text'],
    ['text/html', 'html'],
    ['application/xhtml+xml', 'html'],
    ['application/xml', 'xml'],
    ['text/xml', 'xml'],
    ['image/svg+xml', 'xml'],
    ['application/json', 'json'],
    ['application/ld+json', 'json'],
    ['application/pdf', undefined],
    ['text/rtf', undefined],
    ['image/png', undefined],
    ['', undefined],
  ] as const) {
    test(`${mimeType || 'nothing'} as ${name ?? 'nothing'}`, () => assert.equal(nameOf(mimeType), name))
  }
})

test('JSON is read without its escapes, also when it is cut', () => {
  assert.deepEqual(words(jsonToText('{"a\\nb": "caf\\u00e9", "c": ["d\\te\\"f", 1]')), [
    'a',
    'b',
    'café',
    'c',
    'd',
    'e',
    'f',
    '1',
  ])
  assert.deepEqual(words(jsonToText('"cut \\u00')), ['cut', '00'])
})

test('XML is read between its tags, and what is no markup to it', () => {
  const xml = '<?xml version="1.0"?><!-- no --><a b="no">yes &#233; <![CDATA[if x < y]]></a>'
  assert.deepEqual(words(xmlToText(xml)), ['yes', 'é', 'if', 'x', 'y'])
})

describe('characters are', () => {
  const decode = (bytes: Uint8Array, encoding: string | null, isCut = false) => decodeText({ bytes, isCut }, encoding)
  const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9])
  const utf16 = Buffer.from('\ufeffcafé', 'utf16le')

  test('UTF-8 when nobody says', () => assert.equal(decode(Buffer.from('café'), null), 'café'))
  test('without the mark that some files start with', () => assert.equal(decode(Buffer.from('\ufeffcafé'), null), 'café'))
  test('what the file is said to be encoded in', () => assert.equal(decode(latin, 'ISO-8859-1'), 'café'))
  test('those of old files where they cannot be UTF-8', () => assert.equal(decode(latin, null), 'café'))
  test('what the file says itself', () => {
    assert.equal(decode(utf16, null), 'café')
    assert.equal(decode(utf16, 'UTF-8'), 'café')
    assert.equal(decode(Buffer.from(utf16).swap16(), null), 'café')
  })
  test('guessed when the encoding is one that nobody knows', () => {
    assert.equal(decode(Buffer.from('café'), 'x-klingon'), 'café')
  })
  test('whole, also where the file is cut within one', () => {
    assert.equal(decode(Buffer.from('café').subarray(0, 4), null, true), 'caf')
  })
})

test('no more of a file is read than needed', async () => {
  let read = 0
  const endless = Readable.from(
    (function* () {
      for (;;) {
        read += 1
        yield Buffer.alloc(1_000, 'x')
      }
    })(),
    { highWaterMark: 1 },
  )
  const { bytes, isCut } = await firstBytes(endless, 2_500)
  assert.deepEqual([bytes.length, isCut], [2_500, true])
  assert.ok(read < 10)
})

test('a file that is no longer than needed is read whole', async () => {
  const { bytes, isCut } = await firstBytes(Readable.from([Buffer.from('abc'), Buffer.from('de')]), 5)
  assert.deepEqual([Buffer.from(bytes).toString(), isCut], ['abcde', false])
})
