import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressRange } from './address-range.ts'

test('a range is an address with at most as many bits as it has', () => {
  for (const text of ['10.0.0.0/8', '::1', 'fd00::/8', '127.0.0.1']) assert.ok(isAddressRange(text), text)
  for (const text of ['', 'localhost', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8'])
    assert.ok(!isAddressRange(text), text)
})
