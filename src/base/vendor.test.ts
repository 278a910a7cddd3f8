import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { vendorIdentifiers } from './vendor.ts'

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
