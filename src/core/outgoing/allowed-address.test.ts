import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createAddressCheck } from './allowed-address.ts'

const check = createAddressCheck({ allowed: [], lookup: () => Promise.reject(new Error('nothing is looked up here')) })

describe('an address', () => {
  const denied = [
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::10.0.0.1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '[::1]',
    '[::ffff:192.168.0.1]',
  ]
  for (const address of denied) {
    test(`${address} is denied`, async () => {
      assert.equal((await check(address)).kind, 'denied')
    })
  }
  for (const address of [
    '1.1.1.1',
    '93.184.215.14',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    test(`${address} is allowed`, async () => {
      assert.equal((await check(address)).kind, 'allowed')
    })
  }
  test('of IPv4 is judged alike in every form that IPv6 has for it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.ipV4(), async (address) => {
        const { kind } = await check(address)
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        for (const form of [`::ffff:${address}`, `::ffff:${hex}`, `0:0:0:0:0:ffff:${hex}`, `64:ff9b::${hex}`])
          assert.equal((await check(form)).kind, kind, form)
      }),
    )
  })
})

describe('a name', () => {
  const resolving = (addresses: readonly string[], allowed: readonly string[] = []) =>
    createAddressCheck({ allowed, lookup: async () => addresses.map((address) => ({ address, family: 0 })) })

  test('is given with the address that it was looked up to have', async () => {
    assert.deepEqual(await resolving(['93.184.215.14'])('example.org'), { kind: 'allowed', address: '93.184.215.14', family: 4 })
  })
  test('is denied for any address that is', async () => {
    assert.equal((await resolving(['93.184.215.14', '127.0.0.1'])('example.org')).kind, 'denied')
  })
  test('of a private address is allowed where that is', async () => {
    assert.equal((await resolving(['10.1.2.3'], ['10.1.0.0/16'])('internal')).kind, 'allowed')
    assert.equal((await resolving(['10.2.2.3'], ['10.1.0.0/16'])('internal')).kind, 'denied')
    assert.equal((await resolving(['::1'], ['::1'])('internal')).kind, 'allowed')
  })
  test('that nobody knows is neither', async () => {
    assert.equal((await check('example.org')).kind, 'unknown')
    assert.equal((await resolving([])('example.org')).kind, 'unknown')
  })
  test('that is a number in disguise is what the system takes it for', async () => {
    const real = createAddressCheck({ allowed: [] })
    for (const name of ['2130706433', '0x7f.1', '0177.0.0.1', '127.1', 'localhost']) {
      assert.notEqual((await real(name)).kind, 'allowed', name)
    }
  })
})
