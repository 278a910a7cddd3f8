import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isFormOf, vendorIdentifiers } from './vendor.ts'

describe('with a word of its own, a deployment says', () => {
  const vendored = vendorIdentifiers('acme')
  const identifiers = {
    'platform-entity': 'acme-entity',
    platformOAuth2Token: 'acmeOAuth2Token',
    'Platform-Transaction-Timeout': 'Acme-Transaction-Timeout',
    PlatformRecordCleaners: 'AcmeRecordCleaners',
    'org.platform.rest.stack.enable': 'org.acme.rest.stack.enable',
    // Only the first is the vendor's word; the second belongs to the name.
    'org.platform.ecm.platform.comment': 'org.acme.ecm.platform.comment',
    entity: 'entity',
  }
  for (const [neutral, own] of Object.entries(identifiers)) {
    test(`${own} for ${neutral}`, () => {
      assert.equal(vendored(neutral), own)
      assert.equal(vendored(neutral), own, 'the second time too')
    })
  }
})

test('with the neutral word, identifiers stay as they are', () => {
  const vendored = vendorIdentifiers('platform')
  assert.equal(vendored('Platform-Transaction-Timeout'), 'Platform-Transaction-Timeout')
  assert.equal(vendored('platform-entity'), 'platform-entity')
})

describe('an identifier is recognised with any word in the place of the vendor', () => {
  const forms: [neutral: string, identifier: string, isIt: boolean][] = [
    ['PlatformPrincipal.Get', 'PlatformPrincipal.Get', true],
    ['PlatformPrincipal.Get', 'AcmePrincipal.Get', true],
    ['PlatformPrincipal.Get', 'Principal.Get', false],
    ['PlatformPrincipal.Get', 'acmePrincipal.Get', false],
    ['PlatformPrincipal.Get', 'Acme.Principal.Get', false],
    ['PlatformPrincipal.Get', 'AcmePrincipal.Set', false],
    ['Get.Platform', 'Get.Acme', true],
    ['User.Get', 'User.Get', false],
  ]
  for (const [neutral, identifier, isIt] of forms) {
    test(`${identifier} is ${isIt ? '' : 'not '}a form of ${neutral}`, () => assert.equal(isFormOf(neutral, identifier), isIt))
  }
})
