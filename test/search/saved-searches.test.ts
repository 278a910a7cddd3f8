import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePageProvider } from '../../src/core/search/providers/page-provider.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { searchBenchOn, titlesOf } from './search-bench.ts'

const plugin = definePlugin({
  name: 'saving',
  pageProviders: [
    definePageProvider({ name: 'rowsOnly', kind: 'rows', pattern: 'SELECT dc:title FROM Document' }),
    definePageProvider({
      name: 'mine',
      pattern: 'SELECT * FROM File WHERE dc:creator = ? AND dc:title LIKE :start',
      sort: [{ column: 'dc:title', isAscending: true }],
      quickFilters: [{ name: 'none', clause: '1 = 0' }],
    }),
  ],
})

const nothingSaved = {
  queryParams: null,
  query: null,
  queryLanguage: null,
  pageProviderName: null,
  pageSize: null,
  currentPageIndex: null,
  maxResults: null,
  sortBy: null,
  sortOrder: null,
  contentViewData: null,
  params: {},
}
const ofNotes = { query: 'SELECT * FROM Note WHERE ecm:isVersion = 0', queryLanguage: 'NXQL' }

onEachServer(
  'saved searches',
  (server) => {
    const bench = workbenchOn(server)
    const { get, list } = searchBenchOn(server)
    before(async () => {
      await server.addUser('ann', ['members'])
      await server.addUser('bob', ['members'])
    })
    const body = (fields: object) => ({ 'entity-type': 'savedSearch', title: 'My search', ...fields })
    const post = (fields: object, user = 'ann', headers = {}) => server.as(user).post('/search/saved', body(fields), headers)
    const save = async (fields: object, user = 'ann', headers = {}) => requireStatus(200, await post(fields, user, headers))
    const read = (id: string, headers = {}, user = 'ann') => server.as(user).get(`/search/saved/${id}`, headers)

    describe('when made', () => {
      test('are answered with 200 and all their fields, in their order', async () => {
        const sent = {
          title: 'My notes',
          queryParams: '$currentUser',
          query: 'SELECT * FROM Note WHERE dc:creator = ?',
          queryLanguage: 'NXQL',
          pageSize: 20,
          contentViewData: '{"viewVar":"x"}',
        }
        const answer = await post(sent)
        assert.equal(answer.status, 200)
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=savedSearch')
        const { id, ...fields } = answer.body
        assert.deepEqual(fields, { 'entity-type': 'savedSearch', ...nothingSaved, ...sent, pageSize: '20' })
        assert.deepEqual(Object.keys(answer.body), [
          'entity-type',
          'id',
          'title',
          'queryParams',
          'query',
          'queryLanguage',
          'pageProviderName',
          'pageSize',
          'currentPageIndex',
          'maxResults',
          'sortBy',
          'sortOrder',
          'contentViewData',
          'params',
        ])
        assert.deepEqual((await read(id)).body, answer.body)
      })
      test('are documents in the own workspace of the caller, which is made at the first', async () => {
        await server.addUser('eve@x.org', ['members'])
        assert.equal((await get('/path/default-domain/UserWorkspaces/eve~40x.org')).status, 404)
        const [first, second] = [await save(ofNotes, 'eve@x.org'), await save(ofNotes, 'eve@x.org')]
        const document = await bench.read(first.id, { 'enrichers-document': 'acls', properties: 'dublincore' })
        assert.equal(document.path, '/default-domain/UserWorkspaces/eve~40x.org/My search')
        assert.equal(document.type, 'SavedSearch')
        assert.ok(document.facets.includes('SavedSearch') && document.facets.includes('HiddenInNavigation'))
        assert.equal(document.properties['dc:creator'], 'eve@x.org')
        const local = document.contextParameters.acls.find(({ name }: { name: string }) => name === 'local')
        assert.deepEqual(
          local.aces.map(({ username, permission, granted }: Answered) => [username, permission, granted]),
          [['eve@x.org', 'Everything', true]],
        )
        const workspace = await bench.read(document.parentRef)
        assert.deepEqual([workspace.type, workspace.title], ['Workspace', 'eve@x.org'])
        assert.equal((await bench.read(second.id)).parentRef, document.parentRef)
      })
      test('are in a workspace that nobody else enters', async () => {
        const { id } = await save(ofNotes, 'ann')
        const { parentRef } = await bench.read(id)
        assert.equal((await server.as('ann').get(`/id/${parentRef}`)).status, 200)
        assertRefused(await server.as('bob').get(`/id/${parentRef}`), 403, privilegeMissing('Read', 'bob'))
      })
      test('are of the type that the provider searches with', async () => {
        const { id, pageProviderName } = await save({ pageProviderName: 'default_search' })
        assert.deepEqual([pageProviderName, (await bench.read(id)).type], ['default_search', 'DefaultSearch'])
      })
      test('at the same moment by one user share one workspace', async () => {
        await server.addUser('zoe', ['members'])
        const made = await Promise.all([1, 2, 3, 4].map(() => save(ofNotes, 'zoe')))
        const parents = await Promise.all(made.map(async ({ id }) => (await bench.read(id)).parentRef))
        assert.equal(new Set(parents).size, 1)
      })

      const refusals: readonly [sentence: string, fields: object, message: string | RegExp][] = [
        ['without a title', { ...ofNotes, title: '' }, 'title cannot be empty'],
        [
          'with a query and a provider',
          { ...ofNotes, pageProviderName: 'mine' },
          'query and page provider parameters are mutually exclusive (query, queryLanguage, pageProviderName)',
        ],
        ['with neither', {}, 'query or page provider parameters are missing (query, queryLanguage, pageProviderName)'],
        ['without a language', { query: 'SELECT * FROM Note' }, 'queryLanguage parameter is missing'],
        ['without a query', { queryLanguage: 'NXQL' }, 'query parameter is missing'],
        ['with an unknown provider', { pageProviderName: 'nowhere' }, /nowhere/],
        [
          'with a criterion that is none',
          { pageProviderName: 'default_search', params: { dc_modified_min: 'soon' } },
          /dc_modified_min/,
        ],
        ['with a provider of rows', { pageProviderName: 'rowsOnly' }, /'rowsOnly' gives rows, not documents/],
        ['with a provider of users', { pageProviderName: 'users_listing' }, /'users_listing' gives users, not documents/],
        [
          'with a boolean that is none',
          { pageProviderName: 'advanced_document_content', params: { ecm_trashed: 'yes' } },
          /ecm_trashed/,
        ],
        ['as another entity', { ...ofNotes, 'entity-type': 'document' }, /entity-type is wrong/],
      ]
      for (const [sentence, fields, message] of refusals) {
        test(`${sentence} are refused`, async () => assertRefused(await post(fields), 400, message))
      }
    })

    describe('with parameters', () => {
      const params = { ecm_fulltext: 'report', dc_modified_agg: ['last24h'], my_param: 'x', count: 3, list: ['a'] }

      test('keep free ones as text and show them', async () => {
        const { params: shown } = await save({ pageProviderName: 'default_search', params })
        assert.deepEqual(shown, { my_param: 'x', count: '3', list: '["a"]' })
      })
      test('keep criteria in the fields of the document and show those asked for', async () => {
        const { id } = await save({ pageProviderName: 'default_search', params })
        assert.deepEqual((await bench.readProperties(id))['defaults:dc_modified_agg'], ['last24h'])
        const { params: shown } = (await read(id, { 'X-NXproperties': 'default_search' })).body
        assert.deepEqual([shown.ecm_fulltext, shown.dc_modified_agg, shown.dc_nature], ['report', ['last24h'], []])
        assert.equal(shown.my_param, 'x')
        assert.ok(!('saved:providerName' in shown))
        const { params: all } = (await read(id, { properties: '*' })).body
        assert.deepEqual([all['saved:providerName'], all['dc:title']], ['default_search', 'My search'])
      })
      test('come back as they were shown', async () => {
        const { id } = await save({ pageProviderName: 'default_search', params })
        const shown = (await read(id, { properties: '*' })).body
        const put = await server.as('ann').put(`/search/saved/${id}`, shown, { properties: '*' })
        assert.deepEqual(requireStatus(200, put), shown)
      })
    })

    describe('one by one', () => {
      test('are replaced as a whole', async () => {
        const { id } = await save({ ...ofNotes, pageSize: 5, sortBy: 'dc:title', params: { a: '1' } })
        const replacement = body({ title: 'Other', query: 'SELECT * FROM File', queryLanguage: 'NXQL', params: { b: '2' } })
        const answer = await server.as('ann').put(`/search/saved/${id}`, replacement)
        const expected = { ...nothingSaved, ...replacement, id }
        assert.deepEqual(requireStatus(200, answer), expected)
        assert.deepEqual((await read(id)).body, expected)
      })
      test('lose their criteria when they are replaced', async () => {
        const { id } = await save({ pageProviderName: 'default_search', params: { ecm_fulltext: 'report', dc_nature: ['memo'] } })
        await server
          .as('ann')
          .put(`/search/saved/${id}`, body({ pageProviderName: 'default_search', params: { dc_nature: '["article"]' } }))
        const { params } = (await read(id, { properties: 'default_search' })).body
        assert.deepEqual([params.ecm_fulltext, params.dc_nature], [null, ['article']])
      })
      test('keep what they ask for when they are sent back as they were shown, under another title', async () => {
        const params = { ecm_fulltext: 'report', dc_nature: ['memo'], mine: 'x' }
        const { id } = await save({ pageProviderName: 'default_search', params })
        const shown = (await read(id)).body
        const { params: _none, ...withoutParams } = shown
        for (const sent of [shown, withoutParams]) {
          requireStatus(200, await server.as('ann').put(`/search/saved/${id}`, { ...sent, title: 'Renamed' }))
          const after = (await read(id, { properties: 'default_search' })).body
          const kept = [after.title, after.params.ecm_fulltext, after.params.dc_nature, after.params.mine]
          assert.deepEqual(kept, ['Renamed', 'report', ['memo'], 'x'])
        }
      })
      test('are checked when they are replaced as when they are made', async () => {
        const { id } = await save(ofNotes)
        const put = (fields: object) => server.as('ann').put(`/search/saved/${id}`, body(fields))
        assertRefused(await put({ ...ofNotes, title: null }), 400, 'title cannot be empty')
        assertRefused(await put({ pageProviderName: 'nowhere' }), 400, /nowhere/)
      })
      test('are removed for good', async () => {
        const { id } = await save(ofNotes)
        const answer = await server.as('ann').delete(`/search/saved/${id}`)
        assert.deepEqual([answer.status, answer.text], [204, ''])
        assertRefused(await read(id), 404, id)
        assertRefused(await server.as('Administrator').get(`/id/${id}`), 404, id)
      })
      test('are not found under an id of nothing, or of something else', async () => {
        const file = await bench.create('File')
        for (const id of ['nothing', file.uid]) {
          assertRefused(await get(`/search/saved/${id}`), 404, id)
          assertRefused(await get(`/search/saved/${id}/execute`), 404, id)
          assertRefused(await server.as('Administrator').put(`/search/saved/${id}`, body(ofNotes)), 404, id)
          assertRefused(await server.as('Administrator').delete(`/search/saved/${id}`), 404, id)
        }
        assert.equal((await server.as('Administrator').get(`/id/${file.uid}`)).status, 200)
      })
      test('are for those who have a right to them', async () => {
        const { id } = await save(ofNotes)
        const bob = server.as('bob')
        assertRefused(await bob.get(`/search/saved/${id}`), 403, privilegeMissing('Read', 'bob'))
        assertRefused(await bob.get(`/search/saved/${id}/execute`), 403, privilegeMissing('Read', 'bob'))
        await bench.setAcls(id, [{ name: 'local', aces: [grant('ann', 'Everything'), grant('bob', 'Read')] }])
        assert.equal((await bob.get(`/search/saved/${id}`)).status, 200)
        assert.equal((await bob.get(`/search/saved/${id}/execute`)).status, 200)
        assert.equal((await bob.put(`/search/saved/${id}`, body(ofNotes))).status, 403)
        assert.equal((await bob.delete(`/search/saved/${id}`)).status, 403)
      })
      test('want to know who asks', async () => {
        for (const path of ['', '/x', '/x/execute']) {
          assert.equal((await fetch(new URL(`api/v1/search/saved${path}`, server.url))).status, 401)
        }
      })
    })

    describe('all together', () => {
      const listed = async (parameters = {}, user = 'dan') => list('/search/saved', parameters, {}, user)
      before(async () => {
        await server.addUser('dan', ['members'])
        await save({ ...ofNotes, title: 'c' }, 'dan')
        await save({ pageProviderName: 'default_search', title: 'a' }, 'dan')
        await save({ pageProviderName: 'mine', title: 'b' }, 'dan')
      })

      test('are listed by title, without paging fields', async () => {
        const answer = await get('/search/saved', {}, {}, 'dan')
        assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=savedSearches')
        assert.deepEqual(Object.keys(answer.body), ['entity-type', 'entries'])
        assert.equal(answer.body['entity-type'], 'savedSearches')
        assert.deepEqual(titlesOf(answer.body), ['a', 'b', 'c'])
        assert.deepEqual(Object.keys(answer.body.entries[0]).length, 14)
      })
      test('are listed in pages and in another order', async () => {
        assert.deepEqual(titlesOf(await listed({ pageSize: '2', currentPageIndex: '1' })), ['c'])
        assert.deepEqual(titlesOf(await listed({ sortBy: 'dc:title', sortOrder: 'desc' })), ['c', 'b', 'a'])
        assertRefused(await get('/search/saved', { pageSize: 'x' }), 400, 'Invalid parameter: pageSize')
      })
      test('are listed for one provider', async () => {
        assert.deepEqual(titlesOf(await listed({ pageProvider: 'mine' })), ['b'])
        assert.deepEqual(titlesOf(await listed({ pageProvider: 'nowhere' })), [])
      })
      test('are listed for whoever may see them, not those in the trash', async () => {
        await server.addUser('fay', ['members'])
        const shared = await save({ ...ofNotes, title: 'shared' }, 'ann')
        assert.deepEqual(titlesOf(await listed({}, 'fay')), [])
        await bench.setAcls(shared.id, [{ name: 'local', aces: [grant('ann', 'Everything'), grant('fay', 'Read')] }])
        assert.deepEqual(titlesOf(await listed({}, 'fay')), ['shared'])
        await bench.change(shared.id, { isTrashed: true })
        assert.deepEqual(titlesOf(await listed({}, 'fay')), [])
      })
    })

    describe('when run', () => {
      const run = async (fields: object, parameters = {}, user = 'Administrator') => {
        const { id } = await save(fields, user)
        return list(`/search/saved/${id}/execute`, parameters, {}, user)
      }
      const titles = ['s alpha', 's beta', 's gamma']
      const ofThese = { query: "SELECT * FROM File WHERE dc:title LIKE 's %' ORDER BY dc:title", queryLanguage: 'NXQL' }
      before(async () => {
        for (const title of titles) await bench.create('File', { 'dc:title': title })
      })

      test('give what their query finds', async () => {
        const found = await run(ofThese)
        assert.equal(found['entity-type'], 'documents')
        assert.deepEqual([titlesOf(found), found.pageSize], [titles, 0])
      })
      test('have the page and the order that are saved, unless the request has its own', async () => {
        const { id } = await save(
          { ...ofThese, pageSize: 2, currentPageIndex: '1', sortBy: 'dc:title', sortOrder: 'desc' },
          'Administrator',
        )
        const execute = (parameters = {}) => list(`/search/saved/${id}/execute`, parameters)
        assert.deepEqual(titlesOf(await execute()), ['s alpha'])
        assert.deepEqual(titlesOf(await execute({ currentPageIndex: '0' })), ['s gamma', 's beta'])
        assert.deepEqual(titlesOf(await execute({ pageSize: '1' })), ['s beta'])
        const other = { currentPageIndex: '0', sortBy: 'dc:title', sortOrder: 'asc' }
        assert.deepEqual(titlesOf(await execute(other)), ['s alpha', 's beta'])
        assertRefused(await get(`/search/saved/${id}/execute`, { pageSize: 'x' }), 400, 'Invalid parameter: pageSize')
      })
      test('count as far as is saved, unless the request says otherwise', async () => {
        const limited = { ...ofThese, pageSize: 1, maxResults: 2 }
        assert.equal((await run(limited)).resultsCount, -2)
        assert.equal((await run(limited, { maxResults: '3' })).resultsCount, 3)
      })
      test('know who runs them, not who saved them', async () => {
        const mine = { pageProviderName: 'mine', queryParams: '$currentUser', params: { start: 's %' } }
        assert.deepEqual(titlesOf(await run(mine)), titles)
        assert.deepEqual(titlesOf(await run(mine, {}, 'ann')), [])
      })
      test('take quick filters', async () => {
        const mine = { pageProviderName: 'mine', queryParams: '$currentUser', params: { start: 's %' } }
        const found = await run(mine, { quickFilters: 'none' })
        assert.deepEqual([found.entries, found.quickFilters], [[], [{ name: 'none', active: true }]])
      })
      test('search with the criteria that they hold', async () => {
        const criteria = { dc_creator: ['Administrator'], ecm_fulltext: 'gamma' }
        assert.deepEqual(titlesOf(await run({ pageProviderName: 'default_search', params: criteria })), ['s gamma'])
        const selected = await run({ pageProviderName: 'default_search', params: { dc_modified_agg: ['last24h'] } })
        assert.deepEqual(selected.aggregations.dc_modified_agg.selection, ['last24h'])
      })
      test('search with criteria that became those of a provider only later', async () => {
        const { id } = await save(ofThese, 'Administrator')
        const later = body({
          pageProviderName: 'default_search',
          params: { ecm_fulltext: 'gamma', dc_creator: ['Administrator'] },
        })
        requireStatus(200, await server.as('Administrator').put(`/search/saved/${id}`, later))
        assert.deepEqual(titlesOf(await list(`/search/saved/${id}/execute`)), ['s gamma'])
      })
      test('search with the criteria of the provider that they were given instead of another', async () => {
        const admin = server.as('Administrator')
        const { id } = await save({ pageProviderName: 'default_search', params: { dc_nature: ['memo'] } }, 'Administrator')
        const { uid } = await bench.create('Folder')
        const inside = { pageProviderName: 'advanced_document_content', params: { ecm_parentId: uid, ecm_fulltext: 'free' } }
        requireStatus(200, await admin.put(`/search/saved/${id}`, body(inside)))
        assert.deepEqual(titlesOf(await list(`/search/saved/${id}/execute`)), [])
        await bench.create('File', { 'dc:title': 'inside' }, { parent: (await bench.read(uid)).path })
        assert.deepEqual(titlesOf(await list(`/search/saved/${id}/execute`)), ['inside'])
        const wrong = { pageProviderName: 'advanced_document_content', params: { ecm_trashed: 'maybe' } }
        assertRefused(await admin.put(`/search/saved/${id}`, body(wrong)), 400, /ecm_trashed/)
      })
      test('fill a query with what was a criterion of the provider before', async () => {
        const { id } = await save({ pageProviderName: 'default_search', params: { ecm_fulltext: 'x' } }, 'Administrator')
        const query = { query: 'SELECT * FROM File WHERE dc:title = :ecm_fulltext', queryLanguage: 'NXQL' }
        const put = body({ ...query, params: { ecm_fulltext: 's beta' } })
        requireStatus(200, await server.as('Administrator').put(`/search/saved/${id}`, put))
        assert.deepEqual(titlesOf(await list(`/search/saved/${id}/execute`)), ['s beta'])
      })
      test('are refused, by bulk actions too, where criteria of another provider would not be heeded', async () => {
        const { id } = await save({ pageProviderName: 'default_search', params: { ecm_fulltext: 'gamma' } }, 'Administrator')
        await bench.update(id, { 'saved:providerName': 'advanced_document_content' })
        assertRefused(await get(`/search/saved/${id}/execute`), 400, /holds criteria of a DefaultSearch/)
        const bulk = await server.as('Administrator').post(`/search/saved/${id}/bulk/trash`, {})
        assertRefused(bulk, 400, /holds criteria of a DefaultSearch/)
      })
      describe('are refused with a provider of the same type that does not heed their criteria', () => {
        const params = { ecm_path: ['/nowhere'], dc_nature: ['article'], ecm_fulltext: 'gamma' }
        const refusedEverywhere = async (id: string) => {
          assertRefused(await get(`/search/saved/${id}/execute`), 400, /which what it runs now does not heed/)
          const bulk = await server.as('Administrator').post(`/search/saved/${id}/bulk/trash`, {})
          assertRefused(bulk, 400, /which what it runs now does not heed/)
        }
        for (const provider of ['simple_search', 'default_trash_search']) {
          test(`${provider}, put into the document`, async () => {
            const { id } = await save({ pageProviderName: 'default_search', params }, 'Administrator')
            await bench.update(id, { 'saved:providerName': provider })
            await refusedEverywhere(id)
          })
          test(`${provider}, put into the search`, async () => {
            const { id } = await save({ pageProviderName: 'default_search', params }, 'Administrator')
            const other = body({ pageProviderName: provider, params })
            await server.as('Administrator').put(`/search/saved/${id}`, other)
            await refusedEverywhere(id)
          })
          test(`${provider}, put into a search whose criteria are parameters`, async () => {
            const { id } = await save(ofThese, 'Administrator')
            requireStatus(
              200,
              await server.as('Administrator').put(`/search/saved/${id}`, body({ pageProviderName: 'default_search', params })),
            )
            await bench.update(id, { 'saved:providerName': provider })
            await refusedEverywhere(id)
          })
        }
        test('and run with those that it heeds', async () => {
          const words = { ecm_fulltext: 'gamma' }
          const { id } = await save({ pageProviderName: 'default_search', params: words }, 'Administrator')
          await bench.update(id, { 'saved:providerName': 'simple_search' })
          assert.deepEqual(titlesOf(await list(`/search/saved/${id}/execute`)), ['s gamma'])
        })
      })
      test('know who runs them in their criteria, too', async () => {
        const creator = { pageProviderName: 'default_search', params: { dc_creator: ['$currentUser'], ecm_fulltext: 'gamma' } }
        assert.deepEqual(titlesOf(await run(creator)), ['s gamma'])
        assert.deepEqual(titlesOf(await run(creator, {}, 'ann')), [])
      })
      test('have no limit and their own page size where the request says -1', async () => {
        const limited = { ...ofThese, pageSize: 1, maxResults: 2 }
        assert.equal((await run(limited, { maxResults: '-1' })).resultsCount, 3)
        const { pageSize, entries } = await run(limited, { pageSize: '-1' })
        assert.deepEqual([pageSize, entries.length], [1, 1])
        assert.equal((await run({ ...limited, maxResults: -1 })).resultsCount, 3)
      })
      test('are refused where their query cannot be run', async () => {
        const wrong = await save({ query: 'SELECT * FROM Nowhere', queryLanguage: 'NXQL' }, 'Administrator')
        assertRefused(await get(`/search/saved/${wrong.id}/execute`), 400, /Unknown type: Nowhere/)
        const foreign = await save({ query: 'SELECT * FROM File', queryLanguage: 'CMISQL' }, 'Administrator')
        assertRefused(await get(`/search/saved/${foreign.id}/execute`), 400, 'invalid query language')
      })
    })
  },
  { plugins: [plugin] },
)
