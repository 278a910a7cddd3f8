import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { malformedFileName, notANumber, parseFileName, parseFileType, readUploadHeaders } from './upload-headers.ts'

describe('the name of an uploaded file', () => {
  test('comes back as it was, percent-encoded by any client', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !text.includes('\0') && text.isWellFormed())
    fc.assert(
      fc.property(name, (text) => {
        assert.equal(parseFileName(encodeURIComponent(text)), text)
        assert.equal(parseFileName(new URLSearchParams({ text }).toString().slice('text='.length)), text)
      }),
    )
  })

  test('may stand there in bytes of UTF-8, or of ISO-8859-1', () => {
    assert.equal(parseFileName(Buffer.from('naïve 😀').toString('latin1')), 'naïve 😀')
    assert.equal(parseFileName('na\u00efve'), 'naïve')
  })

  test('is nothing when there is no header, and empty when that is', () => {
    assert.equal(readUploadHeaders({ headers: {} }).name, null)
    assert.equal(readUploadHeaders({ headers: { 'x-file-name': '' } }).name, '')
  })

  test('is refused or a text, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('%', '0', 'c', '3', 'a', 'F', '+', '\u00ff') }), (header) => {
        try {
          assert.ok(parseFileName(header)?.isWellFormed())
        } catch (error) {
          assert.ok(malformedFileName.is(error))
        }
      }),
    )
  })
})

test('the type of an uploaded file is made one of bare words and of nothing', () => {
  assert.equal(readUploadHeaders({ headers: {} }).mimeType, null)
  const types = ['', 'pdf', 'text/plain', 'text/plain; charset=utf-8']
  assert.deepEqual(types.map(parseFileType), [
    'application/octet-stream',
    'application/pdf',
    'text/plain',
    'text/plain; charset=utf-8',
  ])
})

const parse = (headers: { readonly [name: string]: string }) => readUploadHeaders({ headers })

describe('a chunk', () => {
  const headers = (given: object = {}) => ({
    'x-upload-type': 'chunked',
    'x-upload-chunk-index': '1',
    'x-upload-chunk-count': '3',
    'x-file-size': '900',
    ...given,
  })

  test('is told by its three numbers', () => {
    assert.deepEqual(parse(headers()).chunk, { index: 1, count: 3, fileSize: 900 })
    assert.equal(parse(headers({ 'x-file-size': '-1' })).chunk?.fileSize, -1)
    assert.equal(parse(headers({ 'x-upload-chunk-index': ' +2 ' })).chunk?.index, 2)
  })

  test('is none in any other way of upload', () => {
    for (const type of ['normal', 'Chunked', undefined]) {
      assert.equal(parse(headers({ 'x-upload-type': type, 'x-file-size': 'x' })).chunk, undefined)
    }
  })

  test('has whole numbers that can be counted with, or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.bigInt().map(String), fc.double().map(String)), (value) => {
        const text = value.trim()
        try {
          assert.equal(parse(headers({ 'x-file-size': value })).chunk?.fileSize, Number(text))
          assert.match(text, /^[+-]?\d+$/)
        } catch (error) {
          if (!notANumber.is(error)) throw error
          assert.ok(!/^-?\d{1,15}$/.test(text))
        }
      }),
    )
  })
})
