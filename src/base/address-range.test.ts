import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isAddressRange, networkOf } from './address-range.ts'

test('a range is an address with at most as many bits as it has', () => {
  for (const text of ['10.0.0.0/8', '::1', 'fd00::/8', 'fe80::1%eth0', '127.0.0.1']) assert.ok(isAddressRange(text), text)
  for (const text of ['', 'localhost', 'a:b', ':', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8'])
    assert.ok(!isAddressRange(text), text)
})

describe('the network that an address belongs to', () => {
  const networks = {
    '203.0.113.7': '203.0.113.7',
    '::ffff:203.0.113.7': '203.0.113.7',
    '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
    '2001:0DB8:1:2::9': '2001:db8:1:2::/64',
    '2001:db8::9': '2001:db8:0:0::/64',
    'fe80::1%eth0': 'fe80:0:0:0::/64',
    '::1': '0:0:0:0::/64',
    '64:ff9b::203.0.113.7': '64:ff9b:0:0::/64',
    unknown: 'unknown',
  }
  for (const [address, network] of Object.entries(networks)) {
    test(`of ${address} is ${network}`, () => assert.equal(networkOf(address), network))
  }
})
