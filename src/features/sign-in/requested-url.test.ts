import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseRequestedUrl } from './requested-url.ts'

const base = 'https://dms.example.com/our/'

describe('the address that a person wanted to see', () => {
  const followed: readonly [sent: string, url: string][] = [
    ['nxdoc/default/x', 'nxdoc/default/x'],
    ['/our/nxdoc/x?a=b#c', 'nxdoc/x?a=b#c'],
    ['/nxdoc/x', 'nxdoc/x'],
    ['https://dms.example.com/our/ui/#!/doc', 'ui/#!/doc'],
    ['nxpath/default/a:b', 'nxpath/default/a:b'],
    ['oauth2/authorize?redirect_uri=https://client.example/cb', 'oauth2/authorize?redirect_uri=https://client.example/cb'],
  ]
  for (const [sent, url] of followed) {
    test(`is followed: ${sent}`, () => assert.equal(parseRequestedUrl(sent, base), `${base}${url}`))
  }

  const ignored = [
    '',
    'https://evil.example/',
    'https://dms.example.com.evil.example/our/',
    'https://dms.example.com:444/our/x',
    'http://dms.example.com/our/x',
    '//evil.example',
    '\\\\evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'nxdoc//x',
    '../x',
    'nxdoc/../../x',
    'nxdoc/x\r\nSet-Cookie: a=b',
    '\tnxdoc',
    'x'.repeat(4_001),
    '\ud800',
  ]
  for (const sent of ignored) {
    test(`is ignored: ${JSON.stringify(sent.slice(0, 60))}`, () => assert.equal(parseRequestedUrl(sent, base), undefined))
  }

  test('is never outside of the server, whatever is sent', () => {
    const part = fc.constantFrom('/', '\\', '.', '..', ':', '//', '@', '%2f', 'https:', 'evil.example', '#', '?', 'x', '\t', '&')
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(part).map((parts) => parts.join('')),
        ),
        (sent) => {
          const found = parseRequestedUrl(sent, base)
          assert.ok(found === undefined || new URL(found).href.startsWith(base), String(found))
        },
      ),
      { numRuns: 500 },
    )
  })
})
