import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { acceptsGzip, acceptsJson, prefersHtml } from './request-headers.ts'

const json: readonly [accept: string | undefined, expected: boolean][] = [
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['application/*', true],
  ['text/plain,application/json', true],
  ['text/html, */*;q=0.1', true],
  ['APPLICATION/JSON; charset=utf-8', true],
  ['application/json+nxentity', true],
  ['application/json+esentity', true],
  ['text/html', false],
  ['image/*', false],
  ['application/json;q=0', false],
  ['application/json;q=0, */*', false],
  ['*/*;q=0', false],
  ['application/jsonp', false],
]

const html: readonly [accept: string | undefined, expected: boolean][] = [
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['application/json, text/html', false],
  ['text/html;q=0', false],
  ['text/html', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html, application/json;q=0.9', true],
]

const gzip: readonly [acceptEncoding: string | undefined, expected: boolean][] = [
  [undefined, false],
  ['', false],
  ['gzip, deflate, br', true],
  ['*', true],
  ['identity', false],
  ['gzip;q=0, *', false],
]

describe('the Accept header', () => {
  for (const [accept, expected] of json) {
    test(`${accept ?? 'when absent'} ${expected ? 'lets JSON pass' : 'refuses JSON'}`, () =>
      assert.equal(acceptsJson(accept), expected))
  }
})

describe('a page for people', () => {
  for (const [accept, expected] of html) {
    test(`is ${expected ? '' : 'not '}what ${accept ?? 'no Accept header'} asks for`, () =>
      assert.equal(prefersHtml(accept), expected))
  }
})

describe('the Accept-Encoding header', () => {
  for (const [accept, expected] of gzip) {
    test(`${accept ?? 'when absent'} ${expected ? 'asks for' : 'does not ask for'} gzip`, () =>
      assert.equal(acceptsGzip(accept), expected))
  }
})
