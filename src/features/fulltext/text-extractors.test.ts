import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
