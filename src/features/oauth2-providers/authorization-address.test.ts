import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { authorizationAddress, callbackAddress } from './authorization-address.ts'

const callback = 'https://dms.example/platform/site/oauth2/cloudbox/callback'
const service = { clientId: 'abc', authorizationServerUrl: 'https://idp.example/auth', scopes: ['files.read', 'email'] }

describe('the address at which a user consents', () => {
  test('has the parameters in the order that clients know, with most signs as they are', () => {
    assert.equal(
      authorizationAddress(service, callback),
      'https://idp.example/auth?client_id=abc&redirect_uri=https://dms.example/platform/site/oauth2/cloudbox/callback&response_type=code&scope=files.read%20email',
    )
  })
  test('keeps what the stored address has, behind that, and no parameter twice', () => {
    const authorizationServerUrl =
      'https://idp.example/auth?access_type=offline&response_type=code&client_id=evil&approval_prompt=force'
    const address = authorizationAddress({ ...service, authorizationServerUrl, scopes: [] }, callback)
    assert.ok(address?.endsWith('&response_type=code&access_type=offline&approval_prompt=force'), String(address))
    assert.equal(new URL(String(address)).searchParams.getAll('client_id').length, 1)
    assert.ok(!address?.includes('scope='))
  })
  test('is null where the service cannot be addressed', () => {
    assert.equal(authorizationAddress({ ...service, clientId: null }, callback), null)
    for (const authorizationServerUrl of [null, 'nonsense', 'javascript:alert(1)', 'file:///etc/passwd'])
      assert.equal(authorizationAddress({ ...service, authorizationServerUrl }, callback), null)
  })
  test('is read back as what went into it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (clientId) => {
        const address = new URL(String(authorizationAddress({ ...service, clientId }, callback)))
        assert.equal(address.searchParams.get('client_id'), clientId.toWellFormed())
        assert.equal(address.searchParams.get('redirect_uri'), callback)
      }),
    )
  })
  test('leads back to the service by its name', () => {
    assert.equal(callbackAddress('https://dms.example/platform/', 'cloudbox'), callback)
    assert.equal(callbackAddress('http://x/', 'a/../b'), 'http://x/site/oauth2/a%2F..%2Fb/callback')
  })
})
