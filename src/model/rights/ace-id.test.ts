import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aceId, hasAceId, invalidAceId, parseAceId } from './ace-id.ts'
import { type Ace, deny, grant } from './acl.ts'

const [begin, end] = ['2024-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z']

describe('the id of an entry', () => {
  test('is its six parts, empty for what it lacks', () => {
    assert.equal(aceId(deny('Everyone', 'Everything')), 'Everyone:Everything:false:::')
    assert.equal(aceId(grant('bob', 'Write', { creator: 'Administrator', begin })), 'bob:Write:true:Administrator:1704067200000:')
    assert.equal(aceId(grant('bob', 'Read', { end })), `bob:Read:true:::${Date.parse(end)}`)
  })

  test('is read from the right, as a user name may contain colons', () => {
    assert.deepEqual(parseAceId('urn:people:bob:Read:true:ann::'), grant('urn:people:bob', 'Read', { creator: 'ann' }))
  })

  test('names times by the second', () => {
    assert.deepEqual(parseAceId('bob:Read:true::1704067200999:'), grant('bob', 'Read', { begin }))
  })

  const wrong = [
    '',
    'bob',
    'bob:Read:true::',
    ':Read:true:::',
    'bob::true:::',
    'bob:Read::::',
    'bob:Read:true::soon:',
    'bob:Read:true::1e3:',
    'bob:Read:true:::9999999999999999',
    'bob:Read:true:::-99999999999999',
  ]
  for (const id of wrong) {
    test(`is not ${JSON.stringify(id)}`, () => {
      assert.throws(() => parseAceId(id), { code: invalidAceId.code, kind: 'invalid', message: /^Invalid ACE id: / })
    })
  }

  const name = fc.stringMatching(/^[a-z@/.]{1,8}$/)
  const moment = fc.option(fc.integer({ min: 0, max: 4_000_000_000 }).map((seconds) => new Date(seconds * 1_000).toISOString()))
  const anAce = (username: fc.Arbitrary<string>, creator: fc.Arbitrary<string | null>): fc.Arbitrary<Ace> =>
    fc.record(
      { username, permission: name, granted: fc.boolean(), creator, begin: moment, end: moment },
      { noNullPrototype: true },
    )
  const withColons = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(':'))

  test('gives the entry back', () => {
    fc.assert(fc.property(anAce(withColons, fc.option(name)), (ace) => assert.deepEqual(parseAceId(aceId(ace)), ace)))
  })

  test('finds its entry, whatever the name of the creator', () => {
    fc.assert(fc.property(anAce(withColons, fc.option(withColons)), (ace) => hasAceId(aceId(ace))(ace)))
  })
})
