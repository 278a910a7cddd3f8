import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashPassword, isPassword, isStoredOldWay } from './password.ts'

describe('a stored password', () => {
  test('is recognised by the password it was made from and by no other', async () => {
    const stored = await hashPassword('pa55w0rd ümläut')
    assert.match(stored, /^\{ARGON2ID\}/)
    assert.equal(await isPassword('pa55w0rd ümläut', stored), true)
    assert.equal(await isPassword('pa55w0rd ümlaut', stored), false)
  })

  test('differs each time it is made', async () => {
    assert.notEqual(await hashPassword('same'), await hashPassword('same'))
  })

  test('that was made with other costs is recognised', async () => {
    const stored = '{ARGON2ID}19456$2$AQIDBAUGBwgJCgsMDQ4PEA==$P9ILfXeVIUCL6GsviPXAHHpW2Q1mrwDRcerTn+cY3h8='
    assert.equal(await isPassword('pa55w0rd', stored), true)
    assert.equal(await isPassword('pa55w0rD', stored), false)
  })

  const imported = {
    SSHA: '{SSHA}Dcj0seZckXzYhmLiIImluoAZkpEBAgMEBQYHCA==',
    SMD5: '{SMD5}opCS2j5tiahhGmsy+02yigECAwQFBgcI',
    SSHA512: '{SSHA512}q7GZeW99uyrGxtiHegZwF8mCoRWQpUPlbaQgWqKA3VtiFPcYNThIO1UJ8mVDB4Gbm7z6N9M5h/oLHnIQVrqf0gECAwQFBgcI',
  }
  for (const [format, stored] of Object.entries(imported)) {
    test(`in the ${format} format of older accounts is recognised`, async () => {
      assert.equal(await isPassword('pa55w0rd', stored), true)
      assert.equal(await isPassword('pa55w0rD', stored), false)
    })
  }

  test('without a format is the text itself', async () => {
    assert.equal(await isPassword('secret', 'secret'), true)
    assert.equal(await isPassword('secreT', 'secret'), false)
    assert.equal(await isPassword('', ''), false)
  })

  test('is better stored anew unless it is as new ones are', async () => {
    assert.equal(isStoredOldWay(await hashPassword('x')), false)
    for (const stored of [...Object.values(imported), 'secret', '{ARGON2ID}19456$2$AQ==$P9'])
      assert.equal(isStoredOldWay(stored), true)
  })

  test('in an unknown format matches nothing, not even itself', async () => {
    assert.equal(await isPassword('{PLAIN}x', '{PLAIN}x'), false)
    assert.equal(await isPassword('', '{SSHA}'), false)
    assert.equal(await isPassword('', '{ARGON2ID}'), false)
  })
})
