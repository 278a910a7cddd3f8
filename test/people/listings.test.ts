import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { defineEntityProvider } from '../../src/rest/entity-provider.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { createGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

const users = 'platform_principals_listing'
const groups = 'platform_groups_listing'
const memberUsers = 'platform_group_member_users_listing'
const memberGroups = 'platform_group_member_groups_listing'
const entries = 'platform_directory_entry_listing'

const numbers = defineEntityProvider({
  kind: 'entities',
  name: 'platform_numbers',
  listType: 'numbers',
  entityType: 'number',
  pageSize: 3,
  list: async ({ request, offset, limit }) => {
    const all = Array.from({ length: 10 }, (_, index) => `${request.parameters?.[0] ?? ''}${index}`)
    return { values: all.slice(offset, offset + limit), total: all.length }
  },
})

const plugin = definePlugin({
  name: 'numbers',
  entityWriters: [{ entityType: 'number', write: async (_context, value) => ({ 'entity-type': 'number', value }) }],
  pageProviders: [
    numbers,
    { ...numbers, name: 'gone' },
    { ...numbers, name: 'gone', enabled: false },
    // A query that gives way to a list, and a list that gives way to a query.
    { name: 'turned', pattern: 'SELECT * FROM Domain' },
    { ...numbers, name: 'turned' },
    { ...numbers, name: 'turnedBack' },
    { name: 'turnedBack', pattern: 'SELECT * FROM Domain' },
  ],
})

const idsIn = ({ body }: ApiAnswer) => body.entries.map(({ id }: { id: string }) => id)
const valuesIn = ({ body }: ApiAnswer) => body.entries.map(({ value }: { value: string }) => value)

onEachServer(
  'lists of people and entries by the names of their page providers',
  (server) => {
    const run = (name: string, query = '', user = 'ann') => server.as(user).get(`/search/pp/${name}/execute?${query}`)

    before(async () => {
      for (const name of ['ann', 'bea', 'bob']) await server.addUser(name, ['members'])
      await createGroup(server.as('Administrator'), 'b-side')
      await createGroup(server.as('Administrator'), 'crew', {
        memberUsers: ['bob', 'ann', 'bea'],
        memberGroups: ['b-side', 'members'],
      })
    })

    describe('9 give the list entity of what they hold', () => {
      const rows: readonly [name: string, query: string, listType: string, sameAs: string][] = [
        [users, 'queryParams=b', 'users', '/user/search?q=b&pageSize=20'],
        ['users_listing', 'queryParams=b', 'users', '/user/search?q=b&pageSize=20'],
        [users, 'q=*', 'users', '/user/search?q=*&pageSize=20'],
        [users, '', 'users', '/user/search?pageSize=20'],
        [groups, 'queryParams=m', 'groups', '/group/search?q=m&pageSize=20'],
        ['groups_listing', 'queryParams=m', 'groups', '/group/search?q=m&pageSize=20'],
        [memberUsers, 'queryParams=crew', 'users', '/group/crew/@users?pageSize=20'],
        [memberUsers, 'queryParams=crew&queryParams=B', 'users', '/group/crew/@users?pageSize=20&q=B'],
        [memberGroups, 'group=crew&q=b', 'groups', '/group/crew/@groups?pageSize=20&q=b'],
        [entries, 'queryParams=continent', 'directoryEntries', '/directory/continent?pageSize=20'],
        [
          entries,
          'directory=continent&sortBy=id&sortOrder=desc&pageSize=2',
          'directoryEntries',
          '/directory/continent?sortBy=id&pageSize=2',
        ],
      ]
      for (const [name, query, listType, sameAs] of rows) {
        test(`${name}?${query} is ${sameAs}`, async () => {
          const answer = await run(name, query)
          assert.equal(answer.status, 200, answer.text)
          assert.equal(answer.headers.get('content-type'), `application/json; platform-entity=${listType}`)
          assert.deepEqual(answer.body, (await server.as('ann').get(sameAs)).body)
          assert.equal(answer.body['entity-type'], listType)
        })
      }
    })

    test('9 hold somebody where that is expected', async () => {
      assert.deepEqual(idsIn(await run(users, 'queryParams=b')), ['bea', 'bob'])
      assert.deepEqual(idsIn(await run(groups, 'queryParams=m')), ['members'])
      assert.deepEqual(idsIn(await run(memberUsers, 'queryParams=crew')), ['bob', 'ann', 'bea'])
      assert.deepEqual(idsIn(await run(memberGroups, 'queryParams=crew')), ['b-side', 'members'])
      assert.equal((await run(entries, 'queryParams=continent')).body.resultsCount, 7)
    })

    test('9 come in pages', async () => {
      const { body } = await run(memberUsers, 'queryParams=crew&pageSize=2&currentPageIndex=1')
      assert.deepEqual(
        body.entries.map(({ id }: { id: string }) => id),
        ['bea'],
      )
      assert.deepEqual(
        [body.resultsCount, body.numberOfPages, body.isNextPageAvailable, body.currentPageOffset],
        [3, 2, false, 2],
      )
      assert.deepEqual(idsIn(await run(memberUsers, 'queryParams=crew&pageSize=1&offset=1')), ['ann'])
      assert.deepEqual(idsIn(await run(memberUsers, 'queryParams=crew&pageSize=0')), ['bob', 'ann', 'bea'])
    })

    test('9 answer at the older address, and put $currentUser in its place', async () => {
      assert.deepEqual(idsIn(await server.as('bea').get(`/query/${users}?queryParams=$currentUser`)), ['bea'])
      assert.deepEqual(idsIn(await run(users, 'q=$currentUser', 'bob')), ['bob'])
    })

    test('9 answer in another repository all the same', async () => {
      const { status, body } = await server.as('ann').get(`/repo/other/search/pp/${entries}/execute?queryParams=continent`)
      assert.deepEqual([status, body.resultsCount], [200, 7])
      assert.deepEqual(idsIn(await server.as('ann').get(`/repo/other/search/pp/${users}/execute?queryParams=be`)), ['bea'])
    })

    test('9 show entities as the client wants them', async () => {
      const { body } = await run(memberGroups, 'queryParams=crew&fetch.group=memberUsers')
      assert.deepEqual(body.entries[1].memberUsers, ['ann', 'bea', 'bob'])
      const translated = await run(
        entries,
        'queryParams=continent&queryParams=label.directories.continent.eu&translate.directoryEntry=label',
      )
      assert.equal(translated.body.entries[0].properties.label, 'Europe')
    })

    test('9 have a definition like others', async () => {
      const { status, body } = await server.as('ann').get(`/search/pp/${memberUsers}`)
      assert.equal(status, 200)
      assert.deepEqual(
        [body.name, body.pageSize, body.sortable, body.pattern, body.whereClause],
        [memberUsers, 20, false, null, null],
      )
      assert.deepEqual(Object.keys(body), Object.keys((await server.as('ann').get('/search/pp/default_search')).body))
    })

    test('9 are refused with what to change', async () => {
      assertRefused(
        await run(memberUsers),
        400,
        /needs the parameter group\. Send it by that name, or as number 1 of queryParams/,
      )
      assertRefused(await run(entries, 'queryParams='), 400, /needs the parameter directory/)
      assertRefused(await run(memberGroups, 'queryParams=nosuch'), 404, 'group does not exist')
      assertRefused(await run(entries, 'queryParams=nosuch'), 404, 'Directory nosuch was not found')
      assertRefused(await run(entries, 'queryParams=continent&sortBy=size'), 400, /cannot be sorted by size/)
      assertRefused(await run(users, 'queryParams=a&pageSize=many'), 400, 'Invalid parameter: pageSize')
      assertRefused(await run('platform_nosuch_listing'), 404, /Could not resolve page provider/)
    })

    test('9 cannot be worked on in bulk, nor be saved as a search', async () => {
      const bulk = await server.as('Administrator').post(`/search/pp/${users}/bulk/trash`, {})
      assertRefused(bulk, 400, /gives users, not documents/)
      const search = { 'entity-type': 'savedSearch', title: 'People', pageProviderName: users }
      assertRefused(await server.as('ann').post('/search/saved', search), 400, /gives users, not documents/)
    })

    test('9 are for whoever signed in', async () => {
      for (const name of [users, groups, memberUsers, memberGroups, entries]) {
        const { status } = await fetch(new URL(`api/v1/search/pp/${name}/execute?queryParams=crew`, server.url))
        assert.equal(status, 401)
      }
    })

    test('9 hold nothing of a directory that may not be read, and no password', async () => {
      assert.deepEqual((await run(entries, 'queryParams=oauth2Tokens')).body.entries, [])
      const { body } = await run(entries, 'queryParams=userDirectory&queryParams=bob', 'Administrator')
      assert.deepEqual(
        body.entries.map(({ properties }: { properties: object }) => properties),
        [{ ...body.entries[0].properties, username: 'bob', password: '' }],
      )
    })

    test('9 say so when more is found than a search may find', async () => {
      await server.asSystem(async ({ tx }) => {
        for (let index = 0; index < 60; index++)
          await tx.directories.insert('userDirectory', { id: `x${index}`, values: {}, terms: { username: `x${index}` } })
      })
      const { status, body } = await run(users, 'queryParams=x')
      assert.deepEqual([status, body.hasError, body.errorMessage], [200, true, 'label.security.searchOverFlow'])
      assert.deepEqual(body.entries, [])
    })

    describe('of plugins', () => {
      test('are run like built-in ones', async () => {
        const answer = await run('platform_numbers', 'queryParams=n&currentPageIndex=1')
        assert.deepEqual(valuesIn(answer), ['n3', 'n4', 'n5'])
        assert.deepEqual([answer.body['entity-type'], answer.body.isSortable], ['numbers', true])
      })

      test('are handed the document that @pp is asked of, and answer with their own list', async () => {
        const { body: domain } = await server.as('Administrator').get('/path/default-domain')
        const answer = await server.as('Administrator').get('/path/default-domain/@pp/platform_numbers?pageSize=1')
        assert.deepEqual([answer.body['entity-type'], valuesIn(answer)], ['numbers', [`${domain.uid}0`]])
      })

      test('replace others and are replaced, whatever kind these are', async () => {
        assert.equal((await run('gone')).status, 404)
        assert.equal((await run('turned')).body['entity-type'], 'numbers')
        assert.equal((await run('turnedBack', '', 'Administrator')).body['entity-type'], 'documents')
        assert.equal((await server.as('ann').get('/path/default-domain/@pp/gone')).status, 404)
      })
    })
  },
  { plugins: [plugin], settings: { repositories: ['default', 'other'] } },
)

onEachServer(
  'lists of people where the identifiers are those of a vendor',
  (server) => {
    test('9 have the word of the vendor in their names', async () => {
      const run = (name: string) => server.as('Administrator').get(`/search/pp/${name}/execute?queryParams=Adm`)
      assert.deepEqual(idsIn(await run('acme_principals_listing')), ['Administrator'])
      assert.equal((await run(users)).status, 404)
    })
  },
  { settings: { vendor: 'acme' } },
)
