import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Session } from '../../../core/session.ts'
import { compareText } from '../../../nxql/code-point-order.ts'
import { valuesIn } from '../../../settings/define-settings.ts'
import { readSettings } from '../../../settings/read-settings.ts'
import type { DirectoryReader, EntrySearch } from '../../../store/directories.ts'
import { foldTerm, matchesTerm } from '../../../store/directory-terms.ts'
import { users } from '../people-model.ts'
import { accountSettings } from '../settings.ts'
import { searchUsers } from './search-users.ts'

/** A directory of users with these names and nothing else. */
function sessionOver(names: readonly string[]): Session {
  const ordered = [...new Set(names)].sort((one, other) => compareText(foldTerm(one), foldTerm(other)) || compareText(one, other))
  const directories: Partial<DirectoryReader> = {
    find: async (_, id) => (names.includes(id) ? { id, values: {} } : undefined),
    async search({ matching, offset, limit, countLimit = Infinity }: EntrySearch) {
      const found = ordered.filter((name) => matching === undefined || matchesTerm(matching.pattern, foldTerm(name)))
      const entries = found.slice(offset, offset + limit).map((id) => ({ id, values: {} }))
      return { entries, total: Math.min(found.length, countLimit + 1) }
    },
  }
  const store = { reader: { directories } }
  const repository = { store, directories: { store, definitions: new Map([['userDirectory', users]]) } }
  return { repository, reader: store.reader } as unknown as Session
}

const noLimit = { ...readSettings([accountSettings], {}), userSearchLimit: 0 }
const withGuest = {
  administratorsGroups: [],
  reservedGroups: [],
  reservedUsers: [],
  defaultAdministrators: [],
  virtualUsers: [],
  groupComputers: [],
  anonymousUser: { name: 'Guest', properties: { firstName: 'Guest', lastName: 'User' } },
}

const name = fc.constantFrom('a', 'B', 'fay', 'Fay', 'Guest', 'guest', 'GUEST', 'guest0', 'gust', 'h', 'user', 'Zoë', '𝕏', 'ÿ')

test('pages with the anonymous user are those of one list in which it has its place', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(name),
      fc.constantFrom('*', 'g', 'u', 'z'),
      fc.integer({ min: 1, max: 4 }),
      async (names, term, size) => {
        const session = sessionOver(names)
        const services = { valuesOf: valuesIn(noLimit), principalRules: withGuest }
        const whole = await searchUsers(session, services, { term, offset: 0, limit: 1_000 })
        assert.ok(whole.kind === 'found')
        const expected = [...whole.names].sort(
          (one, other) => compareText(foldTerm(one), foldTerm(other)) || compareText(one, other),
        )
        assert.deepEqual(whole.names, expected)
        assert.equal(new Set(whole.names).size, whole.names.length)
        if (!names.includes('Guest')) assert.equal(whole.names.includes('Guest'), term !== 'z')
        for (let offset = 0; offset <= whole.names.length + 2; offset++) {
          const page = await searchUsers(session, services, { term, offset, limit: size })
          assert.ok(page.kind === 'found')
          assert.deepEqual(page.names, whole.names.slice(offset, offset + size))
          assert.equal(page.total, whole.names.length)
        }
      },
    ),
  )
})

test('the anonymous user counts when there are too many', async () => {
  const services = { valuesOf: valuesIn({ ...noLimit, userSearchLimit: 2 }), principalRules: withGuest }
  const search = (names: readonly string[]) => searchUsers(sessionOver(names), services, { term: '*', offset: 0, limit: 9 })
  assert.equal((await search(['a'])).kind, 'found')
  assert.equal((await search(['a', 'b'])).kind, 'tooMany')
  assert.equal((await search(['a', 'Guest'])).kind, 'found')
})
