import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isMailAddress } from '../../base/mail-address.ts'
import { findMailbox, headerText } from './mailbox.ts'

describe('a mailbox', () => {
  test('is an address, or a name with one', () => {
    assert.deepEqual(findMailbox(' ann@example.org '), { address: 'ann@example.org' })
    assert.deepEqual(findMailbox('Ann Lee <ann@example.org>'), { address: 'ann@example.org', name: 'Ann Lee' })
    assert.deepEqual(findMailbox('"Lee, Ann" <ann+x@sub.example.org>'), { address: 'ann+x@sub.example.org', name: 'Lee, Ann' })
    assert.deepEqual(findMailbox('<ann@localhost>'), { address: 'ann@localhost' })
    assert.ok(isMailAddress('zoé@exämple.org'))
  })

  const none = [
    '',
    'ann',
    '@example.org',
    'ann@',
    'ann@@example.org',
    'ann@example..org',
    'ann@-example.org',
    'ann@example.org, bob@example.org',
    'ann@example.org bob@example.org',
    'ann@example.org;bob@example.org',
    'ann@example.org\r\nBcc: bob@example.org',
    'a\n@example.org',
    '"a b"@example.org',
    'ann <a@b.org> <c@d.org>',
    'ann@[127.0.0.1]',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(254)}`,
  ]
  for (const text of none) test(`is not ${JSON.stringify(text.slice(0, 60))}`, () => assert.equal(findMailbox(text), undefined))

  test('has a name of one line', () => {
    assert.equal(findMailbox('Ann\r\nBcc: x@y.org <ann@example.org>')?.name, 'Ann Bcc: x@y.org')
  })

  test('never holds what ends a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, address) => {
        const found = findMailbox(`${name}<${address}@example.org>`)
        return found === undefined || !/[\r\n\0]/.test(`${found.name}${found.address}`)
      }),
    )
  })
})

describe('the text of a header', () => {
  test('is one line whatever there was, and is cut where it is too long', () => {
    assert.equal(headerText(' a\r\nBcc: b\u2028c\t\0d ', 100), 'a Bcc: b c d')
    assert.equal(headerText('x'.repeat(20), 10), `${'x'.repeat(10)}…`)
    assert.equal(headerText('abc\u202egpj', 100), 'abc gpj')
  })
})
