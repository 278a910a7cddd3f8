import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { invalidAceId } from './ace-id.ts'
import { type Ace, type Acl, deny, grant, sameAce } from './acl.ts'
import {
  aceEndsBeforeItBegins,
  addedAces,
  negativeAclNotAllowed,
  requireAllowedAces,
  sameAcls,
  tidyAcls,
  withAceReplaced,
  withAces,
  withAcl,
  withAcls,
  withBlock,
  withoutAces,
  withoutAcl,
  withoutBlock,
} from './acl-change.ts'

const block = deny('Everyone', 'Everything')
const [ann, bob, carol] = [grant('ann', 'Read'), grant('bob', 'Read'), grant('carol', 'Read')]
const local = (...aces: Ace[]): Acl => ({ name: 'local', aces })
const other = (...aces: Ace[]): Acl => ({ name: 'workflow', aces })

describe('an entry is added', () => {
  test('at the end of its list, which is made where there is none', () => {
    assert.deepEqual(withAces([local(ann)], 'local', [bob, carol]), [local(ann, bob, carol)])
    assert.deepEqual(withAces([local(ann)], 'workflow', [bob]), [local(ann), other(bob)])
  })
  test('right before a block that ends the list', () => {
    assert.deepEqual(withAces([local(ann, block)], 'local', [bob, carol]), [local(ann, bob, carol, block)])
    const dated = deny('Everyone', 'Everything', { end: '2030-01-01T00:00:00.000Z', creator: 'ann' })
    assert.deepEqual(withAces([local(dated)], 'local', [bob]), [local(bob, dated)])
  })
  test('behind a block that is not the last', () => {
    assert.deepEqual(withAces([local(block, ann)], 'local', [bob]), [local(block, ann, bob)])
  })
  test('not when it is there already, to the second', () => {
    const [begin, later] = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.999Z']
    const dated = grant('bob', 'Read', { begin })
    assert.deepEqual(withAces([local(dated)], 'local', [grant('bob', 'Read', { begin: later })]), [local(dated)])
  })
  test('to each list of its name', () => {
    assert.deepEqual(withAcls([local(ann, block)], [local(ann, bob), other(carol)]), [local(ann, bob, block), other(carol)])
  })
})

describe('an entry', () => {
  test('is replaced where it stands', () => {
    assert.deepEqual(
      withAceReplaced([other(bob), local(ann, bob, block)], 'local', (ace) => sameAce(ace, bob), carol),
      [other(bob), local(ann, carol, block)],
    )
  })
  test('is taken out of one list or of all', () => {
    const acls = [other(ann, bob), local(bob, carol)]
    const isBob = (ace: Ace) => ace.username === 'bob'
    assert.deepEqual(withoutAces(acls, 'local', isBob), [other(ann, bob), local(carol)])
    assert.deepEqual(withoutAces(acls, undefined, isBob), [other(ann), local(carol)])
  })
})

describe('a block', () => {
  test('ends the list, behind those who are to stay', () => {
    assert.deepEqual(withBlock([local(bob)], 'local', [ann, carol], block), [local(bob, ann, carol, block)])
  })
  test('is not added twice, nor is who stays', () => {
    const blocked = [local(bob, ann, block)]
    assert.deepEqual(withBlock(blocked, 'local', [ann], block), blocked)
    assert.deepEqual(withBlock([local(ann, bob)], 'local', [ann], block), [local(ann, bob, block)])
  })
  test('is added beside one that will end', () => {
    const dated = deny('Everyone', 'Everything', { end: '2030-01-01T00:00:00.000Z' })
    assert.deepEqual(withBlock([local(dated)], 'local', [], block), [local(dated, block)])
    assert.deepEqual(withoutBlock([local(dated, block)], 'local'), [local(dated)])
  })
  test('alone is taken away, whichever user made it', () => {
    const made = deny('Everyone', 'Everything', { creator: 'ann' })
    assert.deepEqual(withoutBlock([local(bob, made, deny('Everyone', 'Write'))], 'local'), [
      local(bob, deny('Everyone', 'Write')),
    ])
  })
})

describe('a whole list', () => {
  test('is set beside the others', () =>
    assert.deepEqual(withAcl([other(ann), local(bob)], 'local', [carol]), [other(ann), local(carol)]))
  test('is dropped', () => assert.deepEqual(withoutAcl([other(ann), local(bob)], 'workflow'), [local(bob)]))
})

describe('stored lists', () => {
  const mixed = [
    local(ann),
    other(bob),
    { name: 'inherited', aces: [carol] },
    { name: 'routing', aces: [carol] },
    local(bob, ann),
  ]
  const names = (acls: readonly Acl[]) => acls.map((acl) => acl.name)

  test('are the others in order of addition, then the local one; nothing inherited, nothing twice', () => {
    const tidy = tidyAcls(mixed, { localAclFirst: false })
    assert.deepEqual(tidy, [other(bob), { name: 'routing', aces: [carol] }, local(ann, bob)])
  })
  test('have the local one first where that is the rule', () => {
    assert.deepEqual(names(tidyAcls(mixed, { localAclFirst: true })), ['local', 'workflow', 'routing'])
  })
  test('are not empty', () => assert.deepEqual(tidyAcls([local(), other(ann)], { localAclFirst: false }), [other(ann)]))

  const anAce = fc.record({
    username: fc.constantFrom('ann', 'bob', 'Everyone'),
    permission: fc.constantFrom('Read', 'Write', 'Everything'),
    granted: fc.boolean(),
    creator: fc.constantFrom(null, 'ann'),
    begin: fc.constantFrom(null, '2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.500Z'),
    end: fc.constant(null),
  })
  const someAcls = fc.array(fc.record({ name: fc.constantFrom('local', 'a', 'b', 'inherited'), aces: fc.array(anAce) }))

  test('are tidy once and for all', () => {
    fc.assert(
      fc.property(someAcls, fc.boolean(), (acls, localAclFirst) => {
        const tidy = tidyAcls(acls, { localAclFirst })
        assert.deepEqual(tidyAcls(tidy, { localAclFirst }), tidy)
        assert.ok(sameAcls(tidy, tidyAcls(tidy, { localAclFirst })))
      }),
    )
  })
  test('differ by what was added and what was removed', () => {
    fc.assert(
      fc.property(someAcls, someAcls, (one, two) => {
        const [before, after] = [tidyAcls(one, { localAclFirst: false }), tidyAcls(two, { localAclFirst: false })]
        const count = (acls: readonly Acl[]) => acls.flatMap((acl) => acl.aces).length
        assert.equal(count(before) + addedAces(before, after).length - addedAces(after, before).length, count(after))
      }),
    )
  })
})

describe('what an entry may not be', () => {
  const strict = { negativeEntries: false }
  const check = (ace: Ace, rules = strict) => requireAllowedAces([], [local(ace)], rules)
  const refusal = { code: negativeAclNotAllowed.code, kind: 'invalid', message: /^Negative ACL not allowed/ }

  for (const ace of [deny('bob', 'Read'), deny('Everyone', 'Read'), deny('bob', 'Everything'), deny('bob', 'ReadWrite')]) {
    test(`a denial of ${ace.permission} to ${ace.username}, unless denials are allowed`, () => {
      assert.throws(() => check(ace), refusal)
      check(ace, { negativeEntries: true })
    })
  }
  for (const ace of [block, deny('bob', 'Write'), deny('Everyone', 'Write'), grant('bob', 'Read')]) {
    test(`but it may ${ace.granted ? 'grant' : 'deny'} ${ace.permission} to ${ace.username}`, () => check(ace))
  }
  test('one that ends before it begins', () => {
    const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']
    assert.throws(() => check(grant('bob', 'Read', { begin: late, end: early })), {
      code: aceEndsBeforeItBegins.code,
      kind: 'invalid',
    })
    check(grant('bob', 'Read', { begin: early, end: late }))
    check(grant('bob', 'Read', { begin: early, end: early }))
  })
  for (const ace of [grant('', 'Read'), grant('bob', '')]) {
    test(`one for ${JSON.stringify(ace.username)} to ${JSON.stringify(ace.permission)}: its id could not be sent`, () => {
      assert.throws(() => check(ace), { code: invalidAceId.code, kind: 'invalid' })
    })
  }
  test('does not concern entries of old', () => {
    const old = deny('bob', 'Read')
    requireAllowedAces([local(old)], [local(old, ann)], strict)
    assert.throws(() => requireAllowedAces([local(old)], [local(old), other(old)], strict), refusal)
  })
})
