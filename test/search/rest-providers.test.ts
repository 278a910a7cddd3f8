import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePageProvider } from '../../src/core/search/providers/page-provider.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'
import { type Parameters, searchBenchOn, titlesOf } from './search-bench.ts'

const byTitle = [{ column: 'dc:title', isAscending: true }]
const plugin = definePlugin({
  name: 'providing',
  pageProviders: [
    definePageProvider({
      name: 'below',
      pattern: 'SELECT * FROM Document\n         WHERE ecm:parentId = ?',
      sort: byTitle,
      pageSize: 2,
      quickFilters: [
        { name: 'noFolder', clause: "ecm:mixinType != 'Folderish'" },
        { name: 'newestFirst', sort: [{ column: 'dc:created', isAscending: false }] },
      ],
    }),
    definePageProvider({ name: 'titled', pattern: 'SELECT * FROM File WHERE dc:title = :title' }),
    definePageProvider({ name: 'broken', pattern: 'SELECT * FROM :kind' }),
    definePageProvider({
      name: 'withSummaries',
      pattern: 'SELECT * FROM File WHERE ecm:parentId = ?',
      sort: byTitle,
      pageSize: 20,
      aggregates: [
        { id: 'natures', type: 'terms', field: 'dc:nature', properties: { size: '10' } },
        { id: 'creators', type: 'terms', field: 'dc:creator' },
        { id: 'subjects', type: 'terms', field: 'dc:subjects' },
        { id: 'titles', type: 'terms', field: 'dc:title' },
      ],
    }),
  ],
})

onEachServer(
  'searching with a page provider',
  (server) => {
    const bench = workbenchOn(server)
    const { get, list } = searchBenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      const file = (title: string, nature: string | null, subjects: readonly string[]) =>
        bench.create('File', { 'dc:title': title, 'dc:nature': nature, 'dc:subjects': subjects }, { parent: folder.path })
      await file('c', 'article', ['art/cinema'])
      await file('a', 'memo', [])
      await file('b', 'article', ['art/cinema', 'art/dance'])
      await bench.create('Folder', { 'dc:title': 'd' }, { parent: folder.path })
    })
    const below = (parameters: Parameters = {}, address = '/search/pp/below/execute') =>
      list(address, { queryParams: folder.uid, ...parameters })

    for (const address of ['/search/pp/below/execute', '/query/below']) {
      describe(`at ${address}`, () => {
        test('has the order and the page size of the provider', async () => {
          const found = await below({}, address)
          assert.deepEqual(titlesOf(found), ['a', 'b'])
          const { pageSize, resultsCount, numberOfPages, isNextPageAvailable } = found
          assert.deepEqual([pageSize, resultsCount, numberOfPages, isNextPageAvailable], [2, 4, 2, true])
        })
        test('takes another page size, page and order', async () => {
          assert.deepEqual(titlesOf(await below({ pageSize: '3', currentPageIndex: '1' }, address)), ['d'])
          assert.deepEqual(titlesOf(await below({ pageSize: '0' }, address)), ['a', 'b', 'c', 'd'])
          assert.deepEqual(titlesOf(await below({ pageSize: '-1' }, address)), ['a', 'b'])
          assert.deepEqual(titlesOf(await below({ sortBy: 'dc:title', sortOrder: 'desc' }, address)), ['d', 'c'])
          assert.deepEqual(titlesOf(await below({ sortBy: 'dc:title' }, address)), ['d', 'c'])
        })
        test('does not count differently when asked to', async () => {
          assert.equal((await below({ maxResults: '1' }, address)).resultsCount, 4)
        })
        test('does not mind that clients name the provider among the parameters', async () => {
          assert.deepEqual(titlesOf(await below({ pageProvider: 'below' }, address)), ['a', 'b'])
        })
        test('lists its quick filters, active or not, before the entries', async () => {
          const found = await below({ quickFilters: 'noFolder,unknown', pageSize: '9' }, address)
          assert.deepEqual(found.quickFilters, [
            { name: 'noFolder', active: true },
            { name: 'newestFirst', active: false },
          ])
          assert.deepEqual(titlesOf(found), ['a', 'b', 'c'])
          assert.deepEqual(Object.keys(found).slice(-2), ['quickFilters', 'entries'])
        })
        test('sorts as its quick filters say, unless the request says otherwise', async () => {
          const quickFilters = 'newestFirst,noFolder'
          assert.deepEqual(titlesOf(await below({ quickFilters, pageSize: '9' }, address)), ['b', 'a', 'c'])
          const asked = { quickFilters, pageSize: '9', sortBy: 'dc:title', sortOrder: 'asc' }
          assert.deepEqual(titlesOf(await below(asked, address)), ['a', 'b', 'c'])
          assert.deepEqual(titlesOf(await below({ pageSize: '9' }, address)), ['a', 'b', 'c', 'd'])
        })
        test('refuses numbers that are none', async () => {
          for (const name of ['pageSize', 'currentPageIndex', 'offset']) {
            assertRefused(await get(address, { queryParams: folder.uid, [name]: 'x' }), 400, `Invalid parameter: ${name}`)
          }
        })
        test('is refused when a parameter is missing', async () => {
          assertRefused(await get(address), 400, /Lexical Error: Illegal character <\?> at offset \d+/)
        })
        test('is there for a repository by name too', async () => {
          assert.deepEqual(await below({}, `/repo/default${address}`), await below({}, address))
        })
        test('wants to know who asks', async () => {
          assert.equal((await fetch(new URL(`api/v1${address}`, server.url))).status, 401)
        })
      })
    }

    for (const address of ['/search/pp/nowhere/execute', '/query/nowhere', '/search/pp/nowhere']) {
      test(`at ${address} is not possible: there is none`, async () => {
        assertRefused(await get(address), 404, "Could not resolve page provider with name 'nowhere'")
      })
    }
    for (const address of ['/search/pp/CURRENT_DOC_CHILDREN/execute', '/query/CURRENT_DOC_CHILDREN']) {
      test(`at ${address} counts no further than its page, and tells page by page whether there is another`, async () => {
        const parent = await bench.create('Folder')
        for (const title of ['x', 'y', 'z']) await bench.create('File', { 'dc:title': title }, { parent: parent.path })
        const ask = (parameters: Parameters) => list(address, { queryParams: parent.uid, ...parameters })
        const { resultsCount, numberOfPages, pageSize } = await ask({})
        assert.deepEqual([resultsCount, numberOfPages, pageSize], [3, 1, 50])
        const pages = await Promise.all([0, 1, 2, 3].map((page) => ask({ pageSize: '1', currentPageIndex: String(page) })))
        assert.deepEqual(
          pages.map((page) => [titlesOf(page).join(), page.resultsCount, page.numberOfPages, page.isNextPageAvailable]),
          [
            ['x', -2, 0, true],
            ['y', -2, 0, true],
            ['z', -2, 0, true],
            ['', -2, 0, false],
          ],
        )
      })
    }
    describe('for words as somebody types them', () => {
      before(() => bench.create('File', { 'dc:title': 'Quokka oracle', 'dc:description': 'unfold' }))
      const typed = async (name: string, parameters: Parameters) => titlesOf(await list(`/search/pp/${name}/execute`, parameters))
      const found = ['Quokka oracle']

      for (const name of ['default_document_suggestion', 'DEFAULT_DOCUMENT_SUGGESTION']) {
        test(`${name} finds what the words find, whatever stands beside them`, async () => {
          for (const queryParams of [
            'quok',
            '"quok',
            'quokka" ora',
            '"quokka ora',
            'or quokka',
            'quokka - ora',
            '+ quokka ora',
            'quokka or',
          ]) {
            assert.deepEqual(await typed(name, { queryParams }), found, queryParams)
          }
        })
        test(`${name} finds nothing where there are no words`, async () => {
          for (const queryParams of ['"', '-', '+', '-"', '" "', '*', "'"]) {
            assert.deepEqual(await typed(name, { queryParams }), [], queryParams)
          }
        })
      }
      test('search_media_by_title finds whole words, whatever stands beside them', async () => {
        const ask = (words: string) => typed('search_media_by_title', { queryParams: ['File', words] })
        for (const words of ['"quokka', 'quokka" oracle', 'or quokka', 'quokka or', 'quokka - oracle', 'nowhere OR quokka']) {
          assert.deepEqual(await ask(words), found, words)
        }
        for (const words of ['quok', '"oracle quokka"', '"', 'or', '-']) assert.deepEqual(await ask(words), [], words)
      })
      test('a criterion of full text is no stricter, and phrases, exclusions and alternatives mean what they did', async () => {
        const ask = (ecm_fulltext: string) => typed('default_search', { ecm_fulltext })
        for (const text of [
          '"quokka',
          'quokka" oracle',
          '"quokka oracle"',
          'or quokka',
          'quokka or',
          'nowhere or quokka',
          'quok* -"',
        ]) {
          assert.deepEqual(await ask(text), found, text)
        }
        for (const text of ['"oracle quokka"', 'quokka -unfold', '"', 'or']) assert.deepEqual(await ask(text), [], text)
      })
    })
    test('with a query instead of its definition runs the query', async () => {
      const query = `SELECT * FROM Folder WHERE ecm:parentId = '${folder.uid}'`
      const found = await list('/query/below', { query })
      assert.deepEqual([titlesOf(found), found.pageSize, 'quickFilters' in found], [['d'], 0, false])
    })
    test('that gives rows is not possible here, whoever asks', async () => {
      const name = 'PERMISSIONS_SEARCH'
      for (const address of [`/search/pp/${name}/execute`, `/query/${name}`, `/id/${folder.uid}/@pp/${name}`]) {
        const answer = await get(address, { queryParams: 'red' }, {}, 'bob')
        assertRefused(answer, 400, new RegExp(`^Page provider '${name}' gives rows, not documents`))
      }
    })
    test('that would see what the caller cannot is not there, by any door', async () => {
      for (const providerName of ['GET_DOCUMENT_IDS_FOR_FACETED_TAG', 'GET_FACETED_TAG_SUGGESTIONS']) {
        const addresses = ['', '/execute'].map((end) => `/search/pp/${providerName}${end}`)
        for (const address of [...addresses, `/query/${providerName}`, `/id/${folder.uid}/@pp/${providerName}`])
          assert.equal((await get(address, { queryParams: '%' }, {}, 'bob')).status, 404)
        for (const operation of ['Repository.PageProvider', 'Repository.ResultSetPageProvider']) {
          const call = { params: { providerName, queryParams: ['%'] }, context: {} }
          assert.equal((await server.as('bob').post(`/automation/${operation}`, call)).status, 404)
        }
      }
    })
    test('fills a named parameter, and says when it is missing', async () => {
      assert.deepEqual(titlesOf(await list('/search/pp/titled/execute', { title: 'c' })), ['c'])
      assertRefused(await get('/search/pp/titled/execute'), 400, /Lexical Error: Illegal character <:> at offset \d+/)
    })
    test('that cannot work is refused, and says why', async () => {
      const message = 'Failed to execute query: SELECT * FROM :kind, Lexical Error: Illegal character <:> at offset 14'
      assertRefused(await get('/search/pp/broken/execute'), 400, message)
    })

    test('with a criterion that is true or false takes nothing else for either', async () => {
      const asked = (ecm_trashed: string) =>
        get('/search/pp/advanced_document_content/execute', { ecm_parentId: folder.uid, ecm_trashed })
      for (const text of ['true', 'FALSE', '']) assert.equal((await asked(text)).status, 200, text)
      for (const text of ['1', 'yes', 'maybe']) assertRefused(await asked(text), 400, /ecm_trashed must be a boolean, not/)
    })

    describe('that counts', () => {
      const summaries = (parameters: Parameters = {}, headers = {}, user = 'Administrator') =>
        list('/search/pp/withSummaries/execute', { queryParams: folder.uid, ...parameters }, headers, user)

      test('shows its aggregates by id, in their order, before the entries', async () => {
        const found = await summaries()
        assert.deepEqual(Object.keys(found.aggregations), ['natures', 'creators', 'subjects', 'titles'])
        assert.deepEqual(Object.keys(found).slice(-2), ['aggregations', 'entries'])
        assert.deepEqual(found.aggregations.natures, {
          'entity-type': 'aggregate',
          id: 'natures',
          field: 'dc:nature',
          properties: { size: '10' },
          ranges: [],
          selection: [],
          type: 'terms',
          buckets: [
            { key: 'article', docCount: 2 },
            { key: 'memo', docCount: 1 },
          ],
          extendedBuckets: [
            { key: 'article', docCount: 2 },
            { key: 'memo', docCount: 1 },
          ],
        })
      })
      test('filters by what is selected, and still offers the rest of that aggregate', async () => {
        const found = await summaries({ natures: '["memo","nothing"]' })
        assert.deepEqual([titlesOf(found), found.resultsCount], [['a'], 1])
        const { natures, titles } = found.aggregations
        assert.deepEqual(natures.selection, ['memo', 'nothing'])
        assert.deepEqual(
          natures.buckets.map(({ key }: { key: string }) => key),
          ['article', 'memo'],
        )
        assert.deepEqual(natures.extendedBuckets[0], { key: 'nothing', docCount: 0 })
        assert.deepEqual(titles.buckets, [{ key: 'a', docCount: 1 }])
      })
      test('finds by the keys of the last month that there is, and nothing by what is no date', async () => {
        await bench.create('File', { 'dc:title': 'for ever', 'dc:expired': '9999-12-31T00:00:00.000Z' })
        const selected = (key: string) => list('/search/pp/expired_search/execute', { dc_expired_agg: JSON.stringify([key]) })
        assert.deepEqual(titlesOf(await selected('12-9999')), ['for ever'])
        for (const key of ['now-300000y', 'now+99999999999999d', 'now-3000y']) {
          const { resultsCount, aggregations } = await selected(key)
          assert.equal(resultsCount, 0)
          assert.deepEqual(aggregations.dc_expired_agg.extendedBuckets[0], { key, docCount: 0 })
        }
      })
      test('leaves them out with skipAggregates, but for those with a selection', async () => {
        assert.ok(!('aggregations' in (await summaries({}, { skipAggregates: 'true' }))))
        assert.ok('aggregations' in (await summaries({}, { skipAggregates: 'false' })))
        const selected = await summaries({ natures: '["memo"]' }, { skipAggregates: 'true' })
        assert.deepEqual([Object.keys(selected.aggregations), titlesOf(selected)], [['natures'], ['a']])
      })
      test('shows them on a page without entries too', async () => {
        const { entries, aggregations } = await summaries({ currentPageIndex: '9' })
        assert.deepEqual([entries, aggregations.natures.buckets.length], [[], 2])
      })
      for (const [name, ask] of [
        ['a header', (user: string) => summaries({}, { 'fetch-aggregate': 'key' }, user)],
        ['its other header', (user: string) => summaries({}, { 'X-NXfetch.aggregate': 'key' }, user)],
        ['a parameter', (user: string) => summaries({ 'fetch-aggregate': 'key' }, {}, user)],
      ] as const) {
        test(`shows what its keys refer to when ${name} asks for it, to anybody`, async () => {
          for (const user of ['Administrator', 'bob']) {
            const { natures, creators, subjects, titles } = (await ask(user)).aggregations
            assert.deepEqual(Object.keys(natures.buckets[0]), ['key', 'fetchedKey', 'docCount'])
            const [nature, creator, subject] = [natures, creators, subjects].map(({ buckets }) => buckets[0])
            assert.deepEqual([nature.key, nature.fetchedKey['entity-type']], ['article', 'directoryEntry'])
            assert.deepEqual(
              [creator.key, creator.fetchedKey['entity-type'], creator.fetchedKey.id],
              ['Administrator', 'user', 'Administrator'],
            )
            assert.deepEqual([subject.key, subject.fetchedKey.id, subject.docCount], ['art/cinema', 'cinema', 2])
            assert.deepEqual(titles.buckets[0], { key: 'a', fetchedKey: 'a', docCount: 1 })
          }
        })
      }
      test('shows fetched entries with their parents and labels', async () => {
        const { subjects } = (await summaries({}, { 'fetch-aggregate': 'key' })).aggregations
        const { properties } = subjects.buckets[0].fetchedKey
        assert.deepEqual([properties.label, properties.parent.id, properties.parent.properties.label], ['Cinema', 'art', 'Art'])
        assert.deepEqual(subjects.extendedBuckets, subjects.buckets)
      })
    })

    describe('by its definition', () => {
      test('shows what it is made of', async () => {
        const answer = await get('/search/pp/below')
        assert.equal(answer.status, 200)
        assert.deepEqual(
          [answer.body.name, answer.body.pattern, answer.body.pageSize, answer.body.pageSizeOptions],
          ['below', 'SELECT * FROM Document WHERE ecm:parentId = ?', 2, [2, 5, 10, 20, 30, 40, 50]],
        )
        assert.ok(!('entity-type' in answer.body))
      })
      test('is there for every built-in one that clients use', async () => {
        const names = ['default_search', 'expired_search', 'nxql_search', 'advanced_document_content', 'tree_children']
        for (const name of [
          ...names,
          'domain_documents',
          'default_content_collection',
          'user_collections',
          'CURRENT_DOC_CHILDREN',
        ]) {
          assert.equal((await list(`/search/pp/${name}`)).name, name)
        }
      })
      test('is open to everybody who is signed in', async () => {
        assert.equal((await server.as('bob').get('/search/pp/default_search')).status, 200)
      })
    })

    test('default_search finds by its criteria', async () => {
      const search = (parameters: Parameters) =>
        list('/search/pp/default_search/execute', { ...parameters, sortBy: 'dc:title', sortOrder: 'asc' })
      const below = { ecm_path: JSON.stringify([folder.path]) }
      assert.deepEqual(titlesOf(await search(below)), ['a', 'b', 'c', 'd'])
      assert.deepEqual(titlesOf(await search({ ...below, dc_nature: '["article"]' })), ['b', 'c'])
      assert.deepEqual(titlesOf(await search({ ...below, dc_nature_agg: '["memo"]' })), ['a'])
      assert.deepEqual(titlesOf(await search({ ...below, dc_subjects: '["art"]', quickFilters: 'noFolder' })), ['b', 'c'])
      assert.deepEqual(titlesOf(await search({ ...below, 'defaults:dc_creator': '["nobody"]' })), [])
      const { aggregations, quickFilters, pageSize } = await search(below)
      assert.equal(pageSize, 20)
      assert.ok(Object.keys(aggregations).includes('common_size_agg'))
      assert.equal(quickFilters.length, 3)
      assertRefused(await get('/search/pp/default_search/execute', { dc_modified_min: 'yesterday' }), 400, /dc_modified_min/)
    })
  },
  { plugins: [plugin] },
)

onEachServer(
  'a page provider where clocks are set back at night',
  (server) => {
    const bench = workbenchOn(server)
    const { list } = searchBenchOn(server)
    before(async () => {
      await bench.create('File', { 'dc:title': 'at first', 'dc:expired': '2024-10-27T00:45:00.000Z' })
      await bench.create('File', { 'dc:title': 'again', 'dc:expired': '2024-10-27T01:45:00.000Z' })
    })
    const found = async (criteria: Parameters) => titlesOf(await list('/search/pp/expired_search/execute', criteria))

    test('16.3 tells the hour that they show twice from itself', async () => {
      assert.deepEqual(await found({ expired_min: '2024-10-27T00:15:00Z' }), ['at first', 'again'])
      assert.deepEqual(await found({ expired_max: '2024-10-27T00:15:00Z' }), [])
      assert.deepEqual(await found({ expired_min: '2024-10-27T01:15:00Z' }), ['again'])
    })
    test('takes the last moment that there is', async () => {
      assert.deepEqual(await found({ expired_max: '9999-12-31T23:59:59.999Z' }), ['at first', 'again'])
    })
  },
  { settings: { queryTimeZone: 'Europe/Paris' } },
)
