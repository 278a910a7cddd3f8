import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPrincipal, systemPrincipal } from '../../model/rights/principal.ts'
import { canEditPeople, isPowerUser, notAPeopleEditor, requirePeopleEditor } from './power-users.ts'

const rules = { administratorsGroups: ['administrators', 'rulers'], reservedGroups: ['kept'], reservedUsers: ['watcher'] }
const principal = (groups: readonly string[], isAdministrator = false) => createPrincipal('ann', groups, { isAdministrator })

describe('looking after people', () => {
  const rows: readonly [
    who: string,
    groups: readonly string[],
    isAdministrator: boolean,
    concerned: readonly string[],
    may: boolean,
  ][] = [
    ['a member of no group', [], false, [], false],
    ['a member', ['members'], false, ['members'], false],
    ['a power user', ['members', 'powerusers'], false, [], true],
    ['a power user', ['powerusers'], false, ['members', 'powerusers'], true],
    ['a power user', ['powerusers'], false, ['members', 'rulers'], false],
    ['a power user', ['powerusers'], false, ['administrators'], false],
    ['a power user', ['powerusers'], false, ['kept'], false],
    ['a power user', ['powerusers'], false, ['watcher', 'members'], false],
    ['an administrator', ['administrators'], true, ['administrators', 'rulers'], true],
    ['an administrator without groups', [], true, [], true],
  ]
  for (const [who, groups, isAdministrator, concerned, may] of rows) {
    test(`${who} ${may ? 'may' : 'may not'} change what is in ${concerned.join(', ') || 'no group'}`, () => {
      assert.equal(canEditPeople(principal(groups, isAdministrator), concerned, rules), may)
    })
  }

  test('the server itself may change anything', () => {
    assert.equal(canEditPeople(systemPrincipal(), ['administrators'], rules), true)
    assert.equal(isPowerUser(systemPrincipal()), true)
  })

  test('is refused with the sentence that belongs to what was tried', () => {
    assert.throws(
      () => requirePeopleEditor(principal(['members']), [], rules, 'Cannot edit user'),
      (error: Error) => {
        assert.ok(notAPeopleEditor.is(error))
        assert.deepEqual([error.message, error.kind], ['Cannot edit user', 'forbidden'])
        return true
      },
    )
    requirePeopleEditor(principal(['powerusers']), [], rules, 'Cannot edit user')
  })
})
