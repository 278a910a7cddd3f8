import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createKey, digestOf, formatKey, isKeyOf, parseKey } from './invitation-key.ts'

const id = '0198c0de-0000-7000-8000-000000000000'

describe('the key of an invitation', () => {
  test('is read as it is written', () => {
    const key = createKey(id)
    assert.deepEqual(parseKey(formatKey(key)), key)
  })
  test('is another one each time, and is known by its digest alone', () => {
    const [one, other] = [createKey(id), createKey(id)]
    assert.notEqual(one.secret, other.secret)
    assert.equal(isKeyOf(digestOf(one), one), true)
    assert.equal(isKeyOf(digestOf(one), other), false)
    assert.ok(!digestOf(one).includes(one.secret))
  })
  test('is none that a digest of another length or none at all stands for', () => {
    for (const digest of ['', 'abc', `${digestOf(createKey(id))}0`]) assert.equal(isKeyOf(digest, createKey(id)), false)
  })
  test('is nothing that a client makes up', () => {
    fc.assert(fc.property(fc.string(), (text) => parseKey(text) === undefined))
    for (const text of ['', '.', id, `${id}.`, `${id}.short`, `${formatKey(createKey(id))}x`, `../${formatKey(createKey(id))}`])
      assert.equal(parseKey(text), undefined, text)
  })
})
