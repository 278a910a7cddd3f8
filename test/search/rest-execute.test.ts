import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'
import { type Parameters, searchBenchOn, titlesOf } from './search-bench.ts'

const addresses = ['/search/execute', '/search/lang/NXQL/execute', '/query', '/query/NXQL']

onEachServer(
  'searching with a query',
  (server) => {
    const bench = workbenchOn(server)
    const { get, list } = searchBenchOn(server)
    const titles = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
    const sorted = [...titles].sort()
    let folder: Answered
    let below: string
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      below = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'`
      for (const title of titles)
        await bench.create('File', { 'dc:title': title, 'dc:source': `of ${title}` }, { parent: folder.path })
    })
    const search = (parameters: Parameters = {}, headers = {}, user = 'Administrator') =>
      list('/search/execute', { query: `${below} ORDER BY dc:title`, ...parameters }, headers, user)

    for (const address of addresses) {
      describe(`at ${address}`, () => {
        test('answers with the paged list of documents', async () => {
          const answer = await get(address, { query: `${below} ORDER BY dc:title` })
          assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=documents')
          const { entries, ...envelope } = answer.body
          assert.deepEqual(titlesOf({ entries }), sorted)
          assert.deepEqual(envelope, {
            'entity-type': 'documents',
            isPaginable: true,
            resultsCount: 5,
            pageSize: 0,
            maxPageSize: 1000,
            resultsCountLimit: 0,
            currentPageSize: 5,
            currentPageIndex: 0,
            currentPageOffset: 0,
            numberOfPages: 1,
            isPreviousPageAvailable: false,
            isNextPageAvailable: false,
            isLastPageAvailable: false,
            isSortable: true,
            hasError: false,
            errorMessage: null,
            totalSize: 5,
            pageIndex: 0,
            pageCount: 1,
          })
        })
        test('finds every document without a query', async () => {
          const [all, blank] = [await list(address), await list(address, { query: '' })]
          assert.ok(all.resultsCount > 5)
          assert.deepEqual(blank, all)
        })
        test('takes pages, an order and parameters', async () => {
          const query = `${below} AND dc:source = ? AND dc:title LIKE :start`
          const parameters = { query, queryParams: 'of beta', start: 'b%', pageSize: '2', sortBy: 'dc:title', sortOrder: 'asc' }
          const found = await list(address, parameters)
          assert.deepEqual([titlesOf(found), found.pageSize], [['beta'], 2])
        })
        test('refuses a query that cannot be run, and says why', async () => {
          const query = 'SELECT * FROM Document WHERE owner = 1'
          assertRefused(await get(address, { query }), 400, `Failed to execute query: ${query}, No such property: owner`)
        })
        test('wants to know who asks', async () => {
          assert.equal((await fetch(new URL(`api/v1${address}`, server.url))).status, 401)
        })
        test('is there for a repository by name too', async () => {
          assert.deepEqual(await list(`/repo/default${address}`, { query: below }), await list(address, { query: below }))
          assertRefused(await get(`/repo/nowhere${address}`, { query: below }), 404, /nowhere/)
          assert.deepEqual(titlesOf(await list(`/repo/other${address}`, { query: below })), [])
        })
      })
    }

    test('is possible in one language only', async () => {
      for (const language of ['nxql', 'CMISQL', 'ES']) {
        assertRefused(await get(`/search/lang/${language}/execute`, { query: below }), 400, 'invalid query language')
      }
    })
    test('shows documents as they are asked for', async () => {
      const headers = { properties: 'dublincore', 'enrichers-document': 'permissions', 'fetch-document': 'versionLabel' }
      for (const entry of (await search({}, headers)).entries) assert.deepEqual(entry, await bench.read(entry.uid, headers))
      assert.ok((await search()).entries.every((entry: Answered) => !('properties' in entry)))
    })
    test('finds and counts what the caller may browse', async () => {
      const secret = await bench.create('File', { 'dc:title': 'zeta' }, { parent: folder.path })
      await bench.restrict(secret.uid)
      const [all, some] = [await search(), await search({}, {}, 'bob')]
      assert.deepEqual([titlesOf(all).at(-1), all.resultsCount, some.resultsCount], ['zeta', 6, 5])
      assert.deepEqual(titlesOf(some), sorted)
      assert.equal((await server.as('Administrator').delete(`/id/${secret.uid}`)).status, 204)
    })

    describe('in pages', () => {
      type Row = readonly [parameters: Parameters, titles: readonly string[], fields: { readonly [field: string]: unknown }]
      const rows: readonly Row[] = [
        [
          { pageSize: '2' },
          sorted.slice(0, 2),
          { currentPageOffset: 0, numberOfPages: 3, isNextPageAvailable: true, isLastPageAvailable: true },
        ],
        [
          { pageSize: '2', currentPageIndex: '1' },
          sorted.slice(2, 4),
          { currentPageIndex: 1, currentPageOffset: 2, pageIndex: 1, isPreviousPageAvailable: true },
        ],
        [
          { pageSize: '2', currentPageIndex: '2' },
          sorted.slice(4),
          { currentPageSize: 1, isNextPageAvailable: false, isLastPageAvailable: false },
        ],
        [
          { pageSize: '2', currentPageIndex: '9' },
          [],
          { currentPageIndex: 9, currentPageSize: 0, resultsCount: 5, numberOfPages: 3 },
        ],
        [{ pageSize: '2', currentPageIndex: '-1' }, sorted.slice(0, 2), { currentPageIndex: 0 }],
        [
          { pageSize: '2', offset: '3' },
          sorted.slice(3),
          { currentPageIndex: 1, currentPageOffset: 3, isPreviousPageAvailable: true },
        ],
        [{ pageSize: '2', offset: '3', currentPageIndex: '0' }, sorted.slice(3), { currentPageIndex: 1 }],
        [{ pageSize: '2', currentPageOffset: '3' }, sorted.slice(3), { currentPageOffset: 3 }],
        [
          { pageSize: '2', offset: '0', currentPageIndex: '1' },
          sorted.slice(0, 2),
          { currentPageIndex: 0, currentPageOffset: 0 },
        ],
        [{ pageSize: '2', offset: '-1', currentPageIndex: '1' }, sorted.slice(2, 4), { currentPageIndex: 1 }],
        [{ pageSize: '' }, sorted, { pageSize: 0 }],
        [{ pageSize: '-1' }, sorted, { pageSize: 0 }],
        [
          { pageSize: '0', currentPageIndex: '2' },
          sorted,
          { pageSize: 0, currentPageIndex: 0, numberOfPages: 1, isNextPageAvailable: false },
        ],
        [{ pageSize: '5000' }, sorted, { pageSize: 5000, maxPageSize: 1000, numberOfPages: 1 }],
        [
          { pageSize: '2', maxResults: '3' },
          sorted.slice(0, 2),
          { resultsCount: -2, resultsCountLimit: 3, numberOfPages: 0, isNextPageAvailable: true, isLastPageAvailable: false },
        ],
        [
          { pageSize: '2', maxResults: '3', currentPageIndex: '2' },
          sorted.slice(4),
          { resultsCount: -2, isNextPageAvailable: false },
        ],
        [
          { pageSize: '2', maxResults: '5' },
          sorted.slice(0, 2),
          { resultsCount: 5, totalSize: 5, resultsCountLimit: 5, numberOfPages: 3 },
        ],
        [{ pageSize: '2', maxResults: '-1' }, sorted.slice(0, 2), { resultsCount: 5, resultsCountLimit: 0 }],
        [{ page: '1', pagesize: '2', maxResult: '1' }, sorted, { pageSize: 0, resultsCount: 5 }],
      ]
      for (const [parameters, expected, fields] of rows) {
        test(`gives ${expected.join(', ') || 'nothing'} for ${JSON.stringify(parameters)}`, async () => {
          const found = await search(parameters)
          assert.deepEqual(titlesOf(found), expected)
          for (const [field, value] of Object.entries(fields)) assert.equal(found[field], value, field)
        })
      }
      for (const name of ['pageSize', 'currentPageIndex', 'offset', 'maxResults']) {
        for (const text of ['many', '1.5', '99999999999999999999']) {
          test(`refuses ${name}=${text}`, async () => {
            for (const address of addresses)
              assertRefused(await get(address, { [name]: text }), 400, `Invalid parameter: ${name}`)
          })
        }
      }
    })

    describe('in an order', () => {
      const rows: readonly [parameters: Parameters, titles: readonly string[]][] = [
        [{ sortBy: 'dc:title', sortOrder: 'asc' }, sorted],
        [{ sortBy: 'dc:title', sortOrder: 'ASC' }, sorted],
        [{ sortBy: 'dc:title' }, sorted.toReversed()],
        [{ sortBy: 'dc:title', sortOrder: 'up' }, sorted.toReversed()],
        [{ sortBy: 'dc:creator,dc:title', sortOrder: 'asc' }, sorted.toReversed()],
        [{ sortBy: 'dc:creator,dc:title', sortOrder: 'desc,asc' }, sorted],
        [{ sortOrder: 'desc' }, sorted],
      ]
      for (const [parameters, expected] of rows) {
        test(`gives ${expected.join(', ')} for ${JSON.stringify(parameters)}, whatever that of the query`, async () => {
          assert.deepEqual(titlesOf(await search(parameters)), expected)
        })
      }
      test('of its own where the query has none', async () => {
        assert.deepEqual(titlesOf(await search({ query: below })), titles)
      })
      test('refuses a column that is none', async () => {
        for (const sortBy of ['dc:nope', "dc:title' OR 1=1", 'dc:title DESC']) {
          assert.equal((await get('/search/execute', { query: below, sortBy })).status, 400, sortBy)
        }
      })
    })

    describe('with parameters', () => {
      test('fills each ? in turn, commas and quotes kept', async () => {
        const odd = await bench.create('File', { 'dc:title': "it's, odd", 'dc:source': 'a\\b' }, { parent: folder.path })
        const query = `${below} AND dc:title = ? AND dc:source = ?`
        assert.deepEqual(titlesOf(await search({ query, queryParams: ["it's, odd", 'a\\b'] })), ["it's, odd"])
        assert.deepEqual(titlesOf(await search({ query, queryParams: ['a\\b', "it's, odd"] })), [])
        await server.as('Administrator').delete(`/id/${odd.uid}`)
      })
      test('fills each :name', async () => {
        const query = `${below} AND (dc:title = :one OR dc:title = :other) ORDER BY dc:title`
        assert.deepEqual(titlesOf(await search({ query, one: 'beta', other: "' OR 1 = 1 --" })), ['beta'])
      })
      test('puts the names of user and repository in', async () => {
        const query = `${below} AND dc:creator = ? ORDER BY dc:title`
        assert.deepEqual(titlesOf(await search({ query, queryParams: '$currentUser' })), sorted)
        assert.deepEqual(titlesOf(await search({ query, queryParams: '$currentUser' }, {}, 'bob')), [])
        const named = `${below} AND dc:creator <> :repository ORDER BY dc:title`
        assert.deepEqual(titlesOf(await search({ query: named, repository: '$currentRepository' })), sorted)
      })
      test('refuses a query some of whose places stay empty', async () => {
        const refused = async (parameters: Parameters, message: RegExp) =>
          assertRefused(await get('/search/execute', parameters), 400, message)
        await refused({ query: `${below} AND dc:title = :x` }, /Lexical Error: Illegal character <:> at offset \d+/)
        await refused({ query: `${below} AND dc:title = ?` }, /Lexical Error: Illegal character <\?> at offset \d+/)
        await refused({ query: `${below} AND dc:title = ? AND dc:source = ?`, queryParams: 'x' }, /Syntax error/)
      })
      test('refuses more than there are places', async () => {
        assert.equal((await get('/search/execute', { query: below, queryParams: 'x' })).status, 400)
      })
    })

    describe('refuses with 400', () => {
      const rows: readonly [query: string, reason: string | RegExp][] = [
        ['SELECT * FROM NoSuchType', /, Unknown type: NoSuchType$/],
        ['SELECT * FROM Document WHERE', /, Syntax error: Invalid token <.*> at offset \d+$/],
        ["SELECT * FROM Document WHERE ecm:fulltext = 'OR first'", /Invalid fulltext query \(standalone OR\)/],
        ['SELECT COUNT(*) FROM File', /Syntax error/],
        ['SELECT * FROM Document WHERE dc:title = #', /, Lexical Error: Illegal character <#> at offset 40$/],
      ]
      for (const [query, reason] of rows) {
        test(query, async () => {
          const answer = await get('/search/execute', { query })
          assertRefused(answer, 400, reason)
          assert.ok(answer.body.message.startsWith(`Failed to execute query: ${query}, `))
        })
      }
    })

    test('gives the documents that the first column names', async () => {
      const query = `SELECT ecm:parentId FROM File WHERE ecm:parentId = '${folder.uid}' AND dc:title IN ('beta', 'gamma')`
      const { entries, resultsCount } = await search({ query })
      const uids = entries.map(({ uid }: { uid: string }) => uid)
      assert.deepEqual([uids, resultsCount], [[folder.uid, folder.uid], 2])
    })
    test('answers HEAD like GET, and nothing else', async () => {
      const administrator = server.as('Administrator')
      assert.equal((await administrator.call('HEAD', 'api/v1/search/execute')).status, 200)
      for (const address of addresses) assertRefused(await administrator.post(address, {}), 405, /./)
    })
  },
  { settings: { repositories: ['default', 'other'] } },
)
