import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { findProvenUser, type PortalRules, portalToken } from './portal-proof.ts'

const sentAt = 1_700_000_000_000
const rules: PortalRules = { secret: 's3cret', digest: 'MD5', maxAgeMillis: 3_600_000 }
const claim = { timestamp: String(sentAt), random: '42abc', user: 'alice' }

const vectors = {
  MD5: 'u0BxuINSDYmzWUlSml/wuA==',
  SHA: 'z6aheZ1H+HYJl+BmwD8WT2Vq2Y0=',
  'SHA-256': 'gJVkcwHuDsDBal+Cdrq91oALr05NrX41e9AuNlwAG8o=',
} as const

describe('the proof of a portal', () => {
  for (const digest of ['MD5', 'SHA', 'SHA-256'] as const) {
    test(`is the digest that the contract gives for ${digest}`, () => {
      assert.equal(portalToken({ ...rules, digest }, claim), vectors[digest])
      assert.equal(findProvenUser({ ...rules, digest }, { ...claim, token: vectors[digest] }, sentAt), 'alice')
    })
  }

  const proof = { ...claim, token: vectors.MD5 }
  test('holds for its greatest age and not a moment longer', () => {
    assert.equal(findProvenUser(rules, proof, sentAt + 3_600_000), 'alice')
    assert.equal(findProvenUser(rules, proof, sentAt + 3_600_001), undefined)
  })
  test('may come from a clock that is five minutes ahead and no more', () => {
    assert.equal(findProvenUser(rules, proof, sentAt - 300_000), 'alice')
    assert.equal(findProvenUser(rules, proof, sentAt - 300_001), undefined)
  })
  for (const timestamp of ['', 'now', '-1', '1e13', '1700000000000.5', '0x18bcfe56800', ' 1700000000000', '9'.repeat(400)]) {
    test(`needs a timestamp that is a number: '${timestamp.slice(0, 20)}'`, () => {
      const made = { ...claim, timestamp }
      assert.equal(findProvenUser(rules, { ...made, token: portalToken(rules, made) }, sentAt), undefined)
    })
  }
  test('of one digest is none of another', () => {
    assert.equal(findProvenUser({ ...rules, digest: 'SHA-512' }, proof, sentAt), undefined)
  })
  test('knows a user whose name came as UTF-8 or as Latin-1', () => {
    for (const encoding of ['utf8', 'latin1'] as const) {
      const user = Buffer.from('zoë', encoding).toString('latin1')
      const token = portalToken(rules, { ...claim, user: 'zoë' })
      assert.equal(findProvenUser(rules, { ...claim, user, token }, sentAt), 'zoë')
    }
  })
  test('holds for nobody else: whatever is changed of it, it is none', () => {
    fc.assert(
      fc.property(fc.constantFrom('random', 'user', 'token'), fc.string(), (part, text) => {
        fc.pre(text !== proof[part])
        assert.equal(findProvenUser(rules, { ...proof, [part]: text }, sentAt), undefined)
      }),
    )
  })
  test('made with another secret is none', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, user) => {
        fc.pre(secret !== rules.secret)
        const made = { ...claim, user }
        assert.equal(findProvenUser(rules, { ...made, token: portalToken({ ...rules, secret }, made) }, sentAt), undefined)
      }),
    )
  })
})
