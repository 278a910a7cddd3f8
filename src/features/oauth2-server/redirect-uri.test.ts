import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isRedirectUri, policySourceOf, withParameters } from './redirect-uri.ts'

const isValid = (uri: string, devMode = false) => isRedirectUri(uri, { devMode })

describe('an address that codes are sent to', () => {
  const matrix: { readonly [uri: string]: boolean } = {
    'https://app.example/callback': true,
    'https://app.example/callback?tenant=7': true,
    'nxdrive://authorize': true,
    'com.example.app:/done': true,
    'http://localhost': true,
    'http://localhost:8080/done?x=1': true,
    'http://127.0.0.1:9/': true,
    'http://[::1]:9/': true,
    'http://app.example/': false,
    'http://localhost.example.com/': false,
    'http://localhost@evil.example/': false,
    'http://localhost:80@evil.example/': false,
    'HTTP://app.example/': false,
    'httpx://app.example/': false,
    'javascript:alert(1)': false,
    'JavaScript:alert(1)': false,
    'data:text/html,x': false,
    'https://a.example/,https://b.example/': false,
    'https://a.example/ b': false,
    'https://a.example/#part': false,
    '/callback': false,
    '': false,
    '  ': false,
  }
  for (const [uri, expected] of Object.entries(matrix)) {
    test(`${JSON.stringify(uri)} is ${expected ? 'one' : 'none'}`, () => assert.equal(isValid(uri), expected))
  }
  test('may be of plain HTTP during development only', () => {
    assert.equal(isValid('http://app.example/', true), true)
    assert.equal(isValid('javascript:alert(1)', true), false)
  })
})

describe('what is added to an address', () => {
  test('stands behind what it has', () => {
    assert.equal(withParameters('https://a.example/x?y=1', { code: 'c', state: undefined }), 'https://a.example/x?y=1&code=c')
    assert.equal(withParameters('nxdrive://authorize', { code: 'c', state: 'a b' }), 'nxdrive://authorize?code=c&state=a+b')
    assert.equal(withParameters('https://a.example/?', { code: 'c' }), 'https://a.example/?code=c')
  })
  test('fits in a header, whatever the state is, and is read back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (state) => {
        const uri = withParameters('https://a.example/é', { state })
        assert.match(uri, /^[\x21-\x7e]+$/)
        assert.equal(new URL(uri).searchParams.get('state'), state)
      }),
    )
  })
  test('is named in a policy by its origin or its scheme', () => {
    assert.equal(policySourceOf('https://a.example:8443/x?y'), 'https://a.example:8443')
    assert.equal(policySourceOf('nxdrive://authorize'), 'nxdrive:')
    assert.equal(policySourceOf('http://[::1]:9/x'), 'http:')
  })
})
