import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { addGroup, assertRefused, aUser } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

onEachServer('UserGroup.Suggestion', (server) => {
  const call = operationsOn(server, 'bob')
  const suggest = async (params: object): Promise<readonly Answered[]> =>
    requireStatus(200, await call('UserGroup.Suggestion', { params }))
  const idsOf = async (params: object) => (await suggest(params)).map(({ prefixed_id: id }) => id)

  before(async () => {
    await server.addUser('bob', ['members'])
    for (const [name, firstName, lastName, company] of [
      ['jdoe', 'John', 'Doe', 'ACME'],
      ['jack', 'Jack', 'from New Jersey', null],
      ['jersey', 'Jack from New Jersey', 'Somebody', null],
      ['solo', null, null, null],
    ] as const) {
      const properties = { firstName, lastName, company, email: `${name}@acme.test` }
      requireStatus(201, await server.as('Administrator').post('/user', aUser(name, properties)))
    }
    await addGroup(server, 'jugglers', { label: 'Jugglers', users: ['jdoe', 'solo'], groups: ['jesters'] })
    await addGroup(server, 'jesters', { label: 'Court', users: ['jack'], groups: ['jugglers'] })
  })

  test('gives users, then groups, as JSON', async () => {
    const answer = await call('UserGroup.Suggestion', { params: { searchTerm: 'j' } })
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(
      requireStatus(200, answer).map(({ prefixed_id: id }: Answered) => id),
      ['user:jack', 'user:jdoe', 'user:jersey', 'group:jesters', 'group:jugglers'],
    )
  })

  test('shows every field of users but the password, and what they are called', async () => {
    const [user] = await suggest({ searchTerm: 'jdoe' })
    assert.deepEqual(user, {
      username: 'jdoe',
      firstName: 'John',
      lastName: 'Doe',
      company: 'ACME',
      email: 'jdoe@acme.test',
      tenantId: null,
      groups: ['jugglers'],
      id: 'jdoe',
      'entity-type': 'user',
      type: 'USER_TYPE',
      prefixed_id: 'user:jdoe',
      displayLabel: 'John Doe',
      displayIcon: true,
    })
  })

  test('shows every field of groups, and what they are called', async () => {
    const [group] = await suggest({ searchTerm: 'jesters' })
    assert.deepEqual(group, {
      groupname: 'jesters',
      grouplabel: 'Court',
      description: null,
      tenantId: null,
      members: [],
      subGroups: [],
      parentGroups: [],
      id: 'jesters',
      'entity-type': 'group',
      type: 'GROUP_TYPE',
      prefixed_id: 'group:jesters',
      displayLabel: 'Court',
      displayIcon: true,
    })
  })

  describe('finds', () => {
    const everybody = ['user:Administrator', 'user:bob', 'user:jack', 'user:jdoe', 'user:jersey', 'user:solo']
    const everyGroup = ['group:administrators', 'group:jesters', 'group:jugglers', 'group:members', 'group:powerusers']
    for (const [what, params, ids] of [
      ['by the beginning of any name in any case', { searchTerm: 'ADM', searchType: 'USER_TYPE' }, ['user:Administrator']],
      ['by the older name of the term', { prefix: 'adm', searchType: 'USER_TYPE' }, ['user:Administrator']],
      ['all by nothing', {}, [...everybody, ...everyGroup]],
      ['all by blanks', { searchTerm: '  ' }, [...everybody, ...everyGroup]],
      ['users alone', { searchType: 'USER_TYPE' }, everybody],
      ['groups alone', { searchType: 'GROUP_TYPE' }, everyGroup],
      ['both by a type that says so', { searchTerm: 'jug', searchType: 'USER_GROUP_TYPE' }, ['group:jugglers']],
      ['by two names', { searchTerm: 'John Do' }, ['user:jdoe']],
      ['by two names in any order', { searchTerm: 'do john' }, ['user:jdoe']],
      ['by two names with blanks around', { searchTerm: '  John  Do  ' }, ['user:jdoe']],
      ['by two names, the second of several words', { searchTerm: 'Jack from New Jersey' }, ['user:jack']],
      ['nobody by names of two users', { searchTerm: 'John Jersey' }, []],
      ['groups by their label', { searchTerm: 'cou' }, ['group:jesters']],
      ['users that a group lists', { groupRestriction: 'jugglers' }, ['user:jdoe', 'user:solo']],
      ['these by their names', { groupRestriction: 'jugglers', searchTerm: 'jo' }, ['user:jdoe']],
      ['no groups then', { groupRestriction: 'jugglers', searchType: 'GROUP_TYPE' }, ['user:jdoe', 'user:solo']],
      [
        'users that groups in it list, too',
        { groupRestriction: 'jugglers', allowSubGroupsRestriction: true },
        ['user:jack', 'user:jdoe', 'user:solo'],
      ],
      ['nobody in a group that there is not', { groupRestriction: 'nowhere' }, []],
      ['nobody in a group that there cannot be', { groupRestriction: '\u0000' }, []],
      [
        'no groups of administrators when they are hidden, and those behind them',
        { searchType: 'GROUP_TYPE', hideAdminGroups: true },
        everyGroup.filter((id) => id !== 'group:administrators'),
      ],
      [
        'no group of power users when it is hidden',
        { searchType: 'GROUP_TYPE', hidePowerUsersGroup: true },
        everyGroup.filter((id) => id !== 'group:powerusers'),
      ],
    ] as const) {
      test(what, async () => assert.deepEqual(await idsOf(params), ids))
    }

    test('by the whole term when nobody has both words', async () => {
      await server.as('Administrator').put('/user/jack', {
        'entity-type': 'user',
        properties: { username: 'jack', lastName: 'Other' },
      })
      assert.deepEqual(await idsOf({ searchTerm: 'Jack from New Jersey' }), ['user:jersey'])
    })
  })

  describe('with a limit', () => {
    for (const [what, params, count] of [
      ['gives as many as it when there are as many', { searchType: 'USER_TYPE', userSuggestionMaxSearchResults: 6 }, 6],
      ['gives as many of a group', { groupRestriction: 'jugglers', userSuggestionMaxSearchResults: 2 }, 2],
      ['of nothing gives all', { searchType: 'USER_TYPE', userSuggestionMaxSearchResults: 0 }, 6],
    ] as const) {
      test(what, async () => assert.equal((await suggest(params)).length, count))
    }

    for (const [what, params] of [
      ['more users', { searchType: 'USER_TYPE', userSuggestionMaxSearchResults: 5 }],
      ['more groups', { searchType: 'GROUP_TYPE', userSuggestionMaxSearchResults: 4 }],
      ['more of both together', { searchTerm: 'j', userSuggestionMaxSearchResults: 4 }],
      ['more of a group', { groupRestriction: 'jugglers', userSuggestionMaxSearchResults: 1 }],
    ] as const) {
      test(`only says so when there are ${what}`, async () => {
        assert.deepEqual(await suggest(params), [{ displayLabel: 'Too many results: please type more of the name.' }])
      })
    }

    test('says so in the language that is wanted', async () => {
      const [only] = await suggest({ userSuggestionMaxSearchResults: 1, lang: 'fr' })
      assert.match(only.displayLabel, /^Trop de résultats/)
    })
  })

  test('shows the labels that are asked for', async () => {
    const labelsOf = async (params: object) => (await suggest(params)).map(({ displayLabel }) => displayLabel)
    const params = { searchTerm: 'jdoe', displayEmailInSuggestion: true, firstLabelField: 'company', hideIcon: true }
    assert.deepEqual(await labelsOf(params), ['ACME Doe jdoe@acme.test'])
    assert.deepEqual(await labelsOf({ searchTerm: 'solo' }), ['solo'])
    assert.deepEqual(await labelsOf({ searchTerm: 'jesters', hideFirstLabel: true }), ['jesters'])
    assert.ok(!('displayIcon' in (await suggest(params))[0]))
  })

  test('is refused with a limit that is no number', async () => {
    const params = { userSuggestionMaxSearchResults: 'few' }
    assertRefused(await call('UserGroup.Suggestion', { params }), 400, /'userSuggestionMaxSearchResults'/)
  })
})

onEachServer(
  'UserGroup.Suggestion where there are more users than a search may find',
  (server) => {
    test('only says so, also without a limit of its own', async () => {
      await server.addUser('bob')
      await server.addUser('ben')
      const params = { searchTerm: 'b', searchType: 'USER_TYPE' }
      const call = operationsOn(server, 'bob')
      assert.equal(requireStatus(200, await call('UserGroup.Suggestion', { params })).length, 2)
      assert.deepEqual(
        requireStatus(200, await call('UserGroup.Suggestion', { params: { searchType: 'USER_TYPE' } })).map(Object.keys),
        [['displayLabel']],
      )
    })
  },
  { settings: { userSearchLimit: 2 } },
)

onEachServer(
  'UserGroup.Suggestion with an anonymous user',
  (server) => {
    test('suggests that one, too', async () => {
      const call = operationsOn(server)
      const params = { searchTerm: 'gue', searchType: 'USER_TYPE' }
      const [guest, ...others] = requireStatus(200, await call('UserGroup.Suggestion', { params }))
      assert.deepEqual([guest.id, guest.displayLabel, others], ['Guest', 'Guest User', []])
    })
  },
  { settings: { userAnonymousEnable: true } },
)
