import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseBasic } from './basic-authenticator.ts'

const encoded = (text: string) => Buffer.from(text).toString('base64')

describe('Basic credentials', () => {
  test('are UTF-8, and a password may hold colons', () => {
    assert.deepEqual(parseBasic(`Basic ${encoded('zoë:a:b:ü')}`), { name: 'zoë', password: 'a:b:ü' })
  })
  test('are recognised whatever the case of the scheme', () => {
    assert.deepEqual(parseBasic(`bAsIc ${encoded('a:b')}`), { name: 'a', password: 'b' })
  })
  for (const text of [':secret', 'alice:', ':', 'alice', '']) {
    test(`are none without a name and a password: '${text}'`, () => assert.equal(parseBasic(`Basic ${encoded(text)}`), undefined))
  }
  test('are none with another scheme or no header', () => {
    assert.equal(parseBasic('Bearer abc'), undefined)
    assert.equal(parseBasic(undefined), undefined)
  })
})
