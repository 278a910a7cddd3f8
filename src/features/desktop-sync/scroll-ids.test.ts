import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createScrollIds } from './scroll-ids.ts'

const ids = createScrollIds('a secret')
const text = fc.string({ unit: 'binary' }).map((one) => one.toWellFormed())

test('an id is opened as what was sealed, by the secret alone', () => {
  fc.assert(
    fc.property(text, text, text, fc.nat(), (user, item, after, expires) => {
      const sealed = ids.seal({ user, item, after, expires })
      assert.deepEqual(ids.open(sealed), { user, item, after, expires })
      assert.equal(createScrollIds('another secret').open(sealed), undefined)
      assert.ok(user.length < 5 || !Buffer.from(sealed, 'base64url').includes(user))
    }),
  )
})

test('no other text is one, nor is one with another byte in it', () => {
  fc.assert(fc.property(fc.string(), (other) => assert.equal(ids.open(other), undefined)))
  const sealed = Buffer.from(ids.seal({ user: 'ann', item: 'x', after: '/a', expires: 1 }), 'base64url')
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const other = Buffer.from(sealed)
      other[at] = (other[at] ?? 0) ^ change
      assert.equal(ids.open(other.toString('base64url')), undefined)
    }),
  )
})
