import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { defineSettings } from './define-settings.ts'
import { knownSettings } from './known-settings.ts'
import { duplicateSetting } from './problems.ts'

const aText = { type: 'string', help: 'for a test' } as const

describe('the names of a setting', () => {
  for (const [name, flag, variable] of [
    ['port', 'port', 'QUIRE_PORT'],
    ['databaseUrl', 'database-url', 'QUIRE_DATABASE_URL'],
    ['upload.maxBytes', 'upload-max-bytes', 'QUIRE_UPLOAD_MAX_BYTES'],
    ['oauth2TokenTtl', 'oauth2-token-ttl', 'QUIRE_OAUTH2_TOKEN_TTL'],
  ] as const) {
    test(`${name} is --${flag} and ${variable}`, () => {
      const [known] = knownSettings([defineSettings({ [name]: aText })])
      assert.deepEqual({ flag: known?.flag, variable: known?.variable }, { flag, variable })
    })
  }

  test('two groups cannot declare the same one', () => {
    assert.throws(() => knownSettings([{ port: aText }, { port: aText }]), duplicateSetting.is)
  })

  test('two names cannot share a flag', () => {
    assert.throws(() => knownSettings([{ 'upload.max': aText, uploadMax: aText }]), /upload\.max.*--upload-max/)
  })

  test('two settings cannot share a property', () => {
    const property = 'platform.some.property'
    assert.throws(() => knownSettings([{ one: { ...aText, property }, other: { ...aText, property } }]), duplicateSetting.is)
  })

  test('none can take a flag that every command has', () => {
    assert.throws(() => knownSettings([{ help: aText }]), duplicateSetting.is)
  })
})
