import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { deriveToken, digestOfToken, findToken, mayBeToken, newSalt, newTokenSecret } from './token-text.ts'

describe('the text of a token', () => {
  test('is a UUID, whatever it is derived from', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, salt) => {
        const token = deriveToken(secret, salt)
        assert.match(token, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
        assert.ok(mayBeToken(token))
      }),
    )
  })
  test('is the same each time, and another for another secret or salt', () => {
    const [secret, salt] = [newTokenSecret(), newSalt()]
    assert.equal(deriveToken(secret, salt), deriveToken(secret, salt))
    assert.notEqual(deriveToken(secret, salt), deriveToken(newTokenSecret(), salt))
    assert.notEqual(deriveToken(secret, salt), deriveToken(secret, newSalt()))
  })
  test('is found again by any of the secrets that the server has had, and by no other', () => {
    const [old, current, salt] = [newTokenSecret(), newTokenSecret(), newSalt()]
    const token = deriveToken(old, salt)
    const stored = { salt, digest: digestOfToken(token) }
    assert.equal(findToken([current, old], stored), token)
    assert.equal(findToken([current], stored), undefined)
    assert.equal(findToken([old], { ...stored, salt: newSalt() }), undefined)
  })
  for (const text of ['', 'a b', 'ä', 'a;b', "a'b", 'x'.repeat(257), 'a\nb', 'a\0']) {
    test(`is none of '${text.slice(0, 10)}' of ${text.length} characters`, () => assert.ok(!mayBeToken(text)))
  }
})
