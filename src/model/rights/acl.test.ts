import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { permissions } from '../builtin/permissions.ts'
import { type Ace, type Acl, aceStatus, deny, effectiveAces, grant, inheritedNow, isGrantedBy } from './acl.ts'
import { createPermissionTable } from './permission.ts'
import { createPrincipal } from './principal.ts'

const table = createPermissionTable(permissions)
const alice = createPrincipal('alice', ['editors', 'members'], { isAdministrator: false })
const past = '2024-01-01T00:00:00.000Z'
const now = '2024-06-01T00:00:00.000Z'
const future = '2024-12-31T00:00:00.000Z'

const mayAlice = (permission: string, ...aces: Ace[]) => isGrantedBy(aces, alice, permission, table, now)
const local = (...aces: Ace[]): Acl => ({ name: 'local', aces })
const blockAce = deny('Everyone', 'Everything')

describe('the first entry that concerns the principal and the permission decides', () => {
  const rows: [string, string, Ace[], boolean][] = [
    ['no entry grants nothing', 'Read', [], false],
    ['an entry for the user', 'Read', [grant('alice', 'Read')], true],
    ['an entry for a group of the user', 'Read', [grant('editors', 'Read')], true],
    ['an entry for Everyone', 'Read', [grant('Everyone', 'Read')], true],
    ['an entry for another user', 'Read', [grant('bob', 'Read')], false],
    ['a compound grants what it includes', 'Browse', [grant('alice', 'ReadWrite')], true],
    ['a part does not grant the whole', 'Read', [grant('alice', 'Browse')], false],
    ['Everything grants all', 'WriteSecurity', [grant('alice', 'Everything')], true],
    ['Everything does not grant RestrictedRead', 'RestrictedRead', [grant('alice', 'Everything')], false],
    ['Write does not grant WriteSecurity', 'WriteSecurity', [grant('alice', 'ReadWrite')], false],
    ['a permission that is not registered is granted by itself', 'Fly', [grant('alice', 'Fly')], true],
    ['and by Everything', 'Fly', [grant('alice', 'Everything')], true],
    ['a denial before a grant wins', 'Write', [deny('alice', 'Write'), grant('alice', 'Write')], false],
    ['a grant before a denial wins', 'Write', [grant('alice', 'Write'), deny('alice', 'Write')], true],
    ['denying Write leaves Read to the next entry', 'Read', [deny('alice', 'Write'), grant('alice', 'Everything')], true],
    ['denying Write denies its parts', 'AddChildren', [deny('alice', 'Write'), grant('alice', 'Everything')], false],
    ['a denial to another user is passed over', 'Read', [deny('bob', 'Everything'), grant('alice', 'Read')], true],
    ['the block stops what follows', 'Read', [blockAce, grant('alice', 'Read')], false],
    ['but not what precedes', 'Read', [grant('alice', 'Read'), blockAce], true],
  ]
  for (const [sentence, permission, aces, expected] of rows) {
    test(sentence, () => assert.equal(mayAlice(permission, ...aces), expected))
  }
})

describe('an entry counts only in its time', () => {
  const rows: [string, Partial<Ace>, 'pending' | 'effective' | 'archived'][] = [
    ['without dates it always does', {}, 'effective'],
    ['begun and not ended', { begin: past, end: future }, 'effective'],
    ['begun for good', { begin: past }, 'effective'],
    ['not begun yet', { begin: future }, 'pending'],
    ['ended', { end: past }, 'archived'],
    ['ended wins over not begun', { begin: future, end: past }, 'archived'],
    ['the very first moment', { begin: now }, 'effective'],
    ['the very last moment', { end: now }, 'effective'],
  ]
  for (const [sentence, dates, status] of rows) {
    test(`${sentence}: ${status}`, () => {
      assert.equal(aceStatus(grant('alice', 'Read', dates), now), status)
      assert.equal(mayAlice('Read', grant('alice', 'Read', dates)), status === 'effective')
      const isDenied = !mayAlice('Read', deny('alice', 'Read', dates), grant('alice', 'Read'))
      assert.equal(isDenied, status === 'effective')
    })
  }
})

describe('the entries that decide about a document', () => {
  const inherited = [grant('members', 'Read')]

  test('are the inherited ones when it has none of its own', () => {
    assert.equal(effectiveAces([], inherited), inherited)
    assert.equal(effectiveAces([local()], inherited), inherited)
  })

  test('are its own and then the inherited ones', () => {
    assert.deepEqual(effectiveAces([local(grant('bob', 'Write'))], inherited), [grant('bob', 'Write'), ...inherited])
  })

  test('are those of its lists in the order in which they are stored', () => {
    const acls: Acl[] = [{ name: 'workflow', aces: [grant('b', 'Read')] }, local(grant('a', 'Read'))]
    assert.deepEqual(
      effectiveAces(acls, inherited).map((ace) => ace.username),
      ['b', 'a', 'members'],
    )
  })

  test('end at a block that lasts, whichever list it is in', () => {
    assert.deepEqual(effectiveAces([local(grant('bob', 'Read'), blockAce)], inherited), [grant('bob', 'Read'), blockAce])
    const inOther: Acl[] = [local(grant('bob', 'Read')), { name: 'workflow', aces: [blockAce] }]
    assert.deepEqual(effectiveAces(inOther, inherited), [grant('bob', 'Read'), blockAce])
  })

  test('go on after a dated block, which decides while it lasts and lets through when it is over', () => {
    const lasting = deny('Everyone', 'Everything', { end: future })
    const over = deny('Everyone', 'Everything', { end: past })
    assert.equal(mayAlice('Read', ...effectiveAces([local(lasting)], inherited)), false)
    assert.equal(mayAlice('Read', ...effectiveAces([local(over)], inherited)), true)
  })

  test('go on after a denial that is no block', () => {
    for (const ace of [deny('Everyone', 'Write'), deny('bob', 'Everything'), grant('Everyone', 'Everything')]) {
      assert.deepEqual(effectiveAces([local(ace)], inherited), [ace, ...inherited])
    }
  })
})

describe('of what a document could inherit', () => {
  const above = [grant('bob', 'Read'), blockAce, grant('carol', 'Read')]
  const until = (end: string) => deny('Everyone', 'Everything', { end })

  test('nothing behind a block counts', () => assert.deepEqual(inheritedNow(above, [], now), above.slice(0, 2)))
  test('nothing at all counts where its own lists block', () => {
    assert.deepEqual(inheritedNow(above, [local(until(future))], now), [])
  })
  test('a block that is over, or is yet to come, does not count', () => {
    const over = [until(past), deny('Everyone', 'Everything', { begin: future }), grant('bob', 'Read')]
    assert.deepEqual(inheritedNow(over, [local(until(past))], now), over)
  })
  test('RestrictedRead, which Everything does not match, is kept out by a block of either kind', () => {
    const restricted = [grant('alice', 'RestrictedRead')]
    for (const block of [blockAce, until(future)]) {
      assert.equal(mayAlice('RestrictedRead', ...effectiveAces([local(block)], restricted)), false)
    }
    assert.equal(mayAlice('RestrictedRead', ...effectiveAces([local(until(past))], restricted)), true)
    assert.equal(mayAlice('RestrictedRead', blockAce, ...restricted), true, 'in one list the block does not match it')
  })
})

test('entries about others never change the answer', () => {
  const aces = fc.array(
    fc.record({
      username: fc.constantFrom('alice', 'editors', 'Everyone', 'bob', 'strangers'),
      permission: fc.constantFrom('Read', 'Write', 'Browse', 'Everything', 'Remove'),
      granted: fc.boolean(),
      creator: fc.constant(null),
      begin: fc.constantFrom(null, past, future),
      end: fc.constantFrom(null, past, future),
    }),
  )
  fc.assert(
    fc.property(aces, fc.constantFrom('Read', 'Browse', 'WriteProperties', 'Unlock'), (all, permission) => {
      const concerning = all.filter((ace) => alice.names.has(ace.username) && aceStatus(ace, now) === 'effective')
      return mayAlice(permission, ...all) === mayAlice(permission, ...concerning)
    }),
  )
})
