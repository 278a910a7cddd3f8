import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cacheHeaders, defaultResponseHeaders, mergeHeaders } from './answer-writer.ts'

const now = Date.UTC(2031, 0, 1)
const year = 'private, max-age=31536000'

const rows: readonly [path: string, search: string, cacheControl: string | undefined][] = [
  ['/nxfile/default/x/file:content', 'changeToken=1-0', year],
  ['/nxfile/default/x/file:content', '', 'private, max-age=0'],
  ['/nxfile/default/x/file:content', 'changeToken=', 'private, max-age=0'],
  ['/api/v1/id/x/@blob/file:content', 'inline=true&changeToken=1-0', year],
  ['/api/v1/id/x/@preview', '', 'private, max-age=0'],
  ['/api/v1/id/x/@rendition/thumbnail', 'changeToken=1-0', year],
  ['/api/v1/id/x/@blobber', 'changeToken=1-0', undefined],
  ['/api/v1/id/x', 'changeToken=1-0', undefined],
  ['/nxbigfile/default/x', '', 'private'],
  ['/icons/file.png', '', 'public, max-age=3600'],
]

describe('how long a path may be cached', () => {
  for (const [path, search, expected] of rows) {
    test(`${path}?${search}: ${expected ?? 'not at all'}`, () => {
      assert.equal(cacheHeaders(path, search, now)?.['Cache-Control'], expected)
    })
  }
  test('is also said the old way', () => {
    assert.equal(cacheHeaders('/nxfile/x', 'changeToken=1', now)?.['Expires'], 'Thu, 01 Jan 2032 00:00:00 GMT')
  })
})

describe('the default headers', () => {
  const settings = {
    frameOptions: 'DENY',
    referrerPolicy: 'no-referrer',
    responseHeaders: { 'x-ua-compatible': null, 'Cache-control': 'no-store' },
  }
  test('follow the settings, each replaced or left out by its name in any case', () => {
    const headers = defaultResponseHeaders(settings, { isEncrypted: false })
    const names = headers.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
    assert.ok(!names.includes('x-ua-compatible'))
    assert.equal(names.filter((name) => name === 'cache-control').length, 1)
    assert.equal(headers[headers.indexOf('Cache-control') + 1], 'no-store')
    assert.equal(headers[headers.indexOf('X-Frame-Options') + 1], 'DENY')
    assert.equal(headers[headers.indexOf('Referrer-Policy') + 1], 'no-referrer')
  })
  test('give way to those of an answer', () => {
    assert.deepEqual(mergeHeaders(['A', '1', 'Vary', 'Origin', 'B', '2'], { b: '3', C: '4' }), [
      'A',
      '1',
      'Vary',
      'Origin',
      'b',
      '3',
      'C',
      '4',
    ])
  })
})
