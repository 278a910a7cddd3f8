import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isChallengeMethod, isVerifier } from './pkce.ts'

describe('the proof of who asked for a code', () => {
  // security 6.3
  const verifier = 'kJ3v9Qm1xZt7Lw5Rb8Yc2Nd6Fg4Hs0Pa_uE-iOoTqXy'
  const challenge = 'VyoKeGQxHSSiH2zgzb2gaz_WxTyuUVGkXh73ldQw4Fo'

  test('is the SHA-256 of the verifier in base64url without padding', () => {
    assert.equal(isVerifier({ challenge, method: 'S256' }, verifier), true)
    assert.equal(isVerifier({ challenge, method: 'S256' }, challenge), false)
    assert.equal(isVerifier({ challenge: `${challenge}=`, method: 'S256' }, verifier), false)
  })
  test('is the verifier itself with the method plain', () => {
    assert.equal(isVerifier({ challenge: verifier, method: 'plain' }, verifier), true)
    assert.equal(isVerifier({ challenge, method: 'plain' }, verifier), false)
  })
  test('is known by two methods, spelled so', () => {
    assert.deepEqual(['plain', 'S256', 's256', 'PLAIN', '', 'S512'].map(isChallengeMethod), [
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })
})
