import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePageProvider } from '../../src/core/search/providers/page-provider.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { versionBenchOn } from '../support/version-bench.ts'
import type { Answered } from '../support/workbench.ts'
import { type Parameters, searchBenchOn, titlesOf } from './search-bench.ts'

const plugin = definePlugin({
  name: 'adapting',
  pageProviders: [
    definePageProvider({
      name: 'below_titled',
      pattern: 'SELECT * FROM Document WHERE ecm:parentId = ? AND dc:title = ?',
      quickFilters: [{ name: 'none', clause: '1 = 0' }],
    }),
    definePageProvider({ name: 'everything_titled', pattern: 'SELECT * FROM File WHERE dc:title LIKE :start', pageSize: 1 }),
    definePageProvider({ name: 'broken', pattern: 'SELECT * FROM :kind' }),
  ],
})

onEachServer(
  'list adapters',
  (server) => {
    const bench = versionBenchOn(server)
    const { get, list } = searchBenchOn(server)
    let folder: Answered
    let file: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder', { 'dc:title': 'zebra folder' })
      const inner = await bench.create('Folder', { 'dc:title': 'm inner' }, { parent: folder.path })
      file = await bench.create('File', { 'dc:title': 'b zebra' }, { parent: folder.path })
      await bench.create('File', { 'dc:title': 'c zebra' }, { parent: inner.path })
      await bench.create('File', { 'dc:title': 'a zebra' }, { parent: inner.path })
      await bench.create('File', { 'dc:title': 'elsewhere zebra' })
    })
    const at = (adapter: string, document: Answered = folder) => `/id/${document.uid}/${adapter}`

    describe('@search', () => {
      const search = (parameters: Parameters, document: Answered = folder) => list(at('@search', document), parameters)

      test('runs a query as it is given, wherever its documents are', async () => {
        const found = await search({ query: "SELECT * FROM File WHERE dc:title = 'elsewhere zebra'" })
        assert.deepEqual([titlesOf(found), found.pageSize], [['elsewhere zebra'], 50])
      })
      test('finds words below a folder, by title', async () => {
        assert.deepEqual(titlesOf(await search({ fullText: 'zebra' })), ['a zebra', 'b zebra', 'c zebra'])
      })
      test('finds them beside a document that is no folder', async () => {
        assert.deepEqual(titlesOf(await search({ fullText: 'zebra' }, file)), ['a zebra', 'b zebra', 'c zebra'])
      })
      test('finds them where the live document of a version is', async () => {
        const shelf = await bench.create('Folder', { 'dc:title': 'shelf' }, { parent: folder.path })
        const inside = await bench.create('File', { 'dc:title': 'inner pangolin' }, { parent: shelf.path })
        await bench.create('File', { 'dc:title': 'outer pangolin' })
        for (const { uid } of [inside, shelf]) {
          const { version } = await bench.checkIn(uid)
          assert.deepEqual(titlesOf(await search({ fullText: 'pangolin' }, { uid: version.id })), ['inner pangolin'])
        }
      })
      test('leaves out versions', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'okapi' }, { parent: folder.path })
        await bench.update(uid, { 'dc:rights': 'r' }, { 'X-Versioning-Option': 'MINOR' })
        const found = await search({ fullText: 'okapi' })
        assert.deepEqual([found.resultsCount, found.entries[0].uid], [1, uid])
      })
      test('takes another order for words', async () => {
        assert.deepEqual(titlesOf(await search({ fullText: 'zebra', orderBy: 'dc:title DESC' })), [
          'c zebra',
          'b zebra',
          'a zebra',
        ])
        const both = { fullText: 'zebra', orderBy: 'dc:title DESC', sortBy: 'dc:title', sortOrder: 'asc' }
        assert.deepEqual(titlesOf(await search(both)), ['a zebra', 'b zebra', 'c zebra'])
        assertRefused(await get(at('@search'), { fullText: 'zebra', orderBy: 'dc:title; DROP' }), 400, /orderBy/)
      })
      test('orders what a query finds as it is told, else as the query says, else by title', async () => {
        const query = "SELECT * FROM File WHERE dc:title IN ('a zebra', 'b zebra', 'c zebra')"
        const [down, up] = [
          ['c zebra', 'b zebra', 'a zebra'],
          ['a zebra', 'b zebra', 'c zebra'],
        ]
        assert.deepEqual(titlesOf(await search({ query })), up)
        assert.deepEqual(titlesOf(await search({ query, orderBy: 'dc:title DESC' })), down)
        assert.deepEqual(titlesOf(await search({ query: `${query} ORDER BY dc:title DESC` })), down)
        assert.deepEqual(titlesOf(await search({ query: `${query} ORDER BY dc:title DESC`, orderBy: 'dc:title' })), up)
        assertRefused(await get(at('@search'), { query, orderBy: 'dc:title; DROP' }), 400, /orderBy/)
      })
      test('orders whole documents by title, however a query asks for them', async () => {
        const rest = "FROM File WHERE dc:title IN ('a zebra', 'b zebra', 'c zebra')"
        for (const select of ['SELECT ALL *', 'select distinct *', 'SELECT *', 'SELECT*', 'SELECT\n ALL\t*'])
          assert.deepEqual(titlesOf(await search({ query: `${select} ${rest}` })), ['a zebra', 'b zebra', 'c zebra'], select)
      })
      test('takes words with quotes in them for what they are', async () => {
        const { hasError, entries } = await search({ fullText: "zebra' AND '1' = '1" })
        assert.deepEqual([hasError, entries], [false, []])
      })
      test('takes what somebody types for words, whatever an expression is refused for', async () => {
        for (const fullText of [
          '"zebra',
          'zebra"',
          'ze"bra zebra',
          'zebra or',
          'OR zebra',
          'zebra -',
          '+ zebra',
          'zebra OR OR b',
        ]) {
          const { hasError, errorMessage } = await search({ fullText })
          assert.deepEqual([hasError, errorMessage], [false, null], fullText)
        }
        const all = ['a zebra', 'b zebra', 'c zebra']
        for (const fullText of ['"zebra', 'zebra or', '- zebra']) assert.deepEqual(titlesOf(await search({ fullText })), all)
        assert.deepEqual(titlesOf(await search({ fullText: '"a zebra" OR "c zebra"' })), ['a zebra', 'c zebra'])
        assert.deepEqual(titlesOf(await search({ fullText: 'zebra -b' })), ['a zebra', 'c zebra'])
        assert.deepEqual(titlesOf(await search({ fullText: '"' })), [])
      })
      test('prefers a query to words', async () => {
        const query = "SELECT * FROM File WHERE dc:title = 'elsewhere zebra'"
        assert.deepEqual(titlesOf(await search({ query, fullText: 'zebra' })), ['elsewhere zebra'])
      })
      test('needs one of both', async () => {
        for (const parameters of [{}, { query: '' }, { fullText: ' ' }]) {
          assertRefused(await get(at('@search'), parameters), 400, 'Expecting a query or a fullText parameter')
        }
      })
      test('counts no further than maxResults', async () => {
        const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder.path}' AND dc:title LIKE '%zebra'`
        for (const [parameters, count] of [
          [{ maxResults: '2' }, -2],
          [{ maxResult: '2' }, -2],
          [{ maxResults: '3' }, 3],
          [{ maxResults: '-1' }, 3],
          [{ maxResults: '' }, 3],
        ] as const) {
          assert.equal((await search({ query, pageSize: '1', ...parameters })).resultsCount, count, JSON.stringify(parameters))
        }
      })
      test('shows a query that cannot be run as a page with an error and nothing else', async () => {
        const found = await search({ query: 'SELECT * FROM Nowhere' })
        const { hasError, errorMessage, entries, isNextPageAvailable } = found
        assert.deepEqual([hasError, entries, isNextPageAvailable], [true, [], false])
        assert.equal(errorMessage, 'Failed to execute query: SELECT * FROM Nowhere ORDER BY dc:title, Unknown type: Nowhere')
        assert.equal((await search({ query: "SELECT * FROM File WHERE ecm:fulltext = 'OR zebra'" })).hasError, true)
      })
    })

    describe('@pp', () => {
      test('runs a provider with the document for its first parameter', async () => {
        const found = await list(at('@pp/below_titled'), { queryParams: 'b zebra' })
        assert.deepEqual([titlesOf(found), found.pageSize], [['b zebra'], 50])
      })
      test('has pages of fifty whatever the provider, and takes named parameters', async () => {
        const found = await list(at('@pp/everything_titled'), { start: '%zebra', sortBy: 'dc:title', sortOrder: 'asc' })
        assert.deepEqual([found.pageSize, titlesOf(found).slice(0, 2)], [50, ['a zebra', 'b zebra']])
      })
      test('takes quick filters', async () => {
        const found = await list(at('@pp/below_titled'), { queryParams: 'b zebra', quickFilters: 'none' })
        assert.deepEqual([found.entries, found.quickFilters], [[], [{ name: 'none', active: true }]])
      })
      test('without a name lists the children', async () => {
        assert.deepEqual(await list(at('@pp')), await list(at('@children')))
      })
      test('runs a provider that has conditions only', async () => {
        const { hasError, pageSize } = await list(at('@pp/default_search'))
        assert.deepEqual([hasError, pageSize], [false, 50])
      })
      test('says when there is no such provider', async () => {
        assertRefused(await get(at('@pp/nowhere')), 404, 'Page provider given not found')
      })
      test('shows a provider that cannot work as a page with an error', async () => {
        const { hasError, errorMessage, entries } = await list(at('@pp/broken'))
        assert.deepEqual([hasError, entries], [true, []])
        assert.match(errorMessage, /Lexical Error: Illegal character <:>/)
      })
    })

    for (const adapter of ['@search?query=SELECT+*+FROM+Folder', '@pp', '@pp/tree_children', '@children']) {
      const [path = '', query = ''] = adapter.split('?')
      describe(adapter, () => {
        const given = Object.fromEntries(new URLSearchParams(query))
        test('takes the older names of paging parameters, after the newer ones', async () => {
          const older = await list(at(path), { ...given, page: '1', pagesize: '1' })
          assert.deepEqual([older.pageSize, older.currentPageIndex], [1, 1])
          const both = await list(at(path), { ...given, page: '1', pagesize: '1', currentPageIndex: '0', pageSize: '2' })
          assert.deepEqual([both.pageSize, both.currentPageIndex], [2, 0])
        })
        test('refuses numbers that are none', async () => {
          for (const name of ['page', 'currentPageIndex', 'pagesize', 'pageSize', 'maxResults', 'maxResult']) {
            assertRefused(await get(at(path), { ...given, [name]: 'x' }), 400, `Invalid parameter: ${name}`)
          }
        })
        test('is there by path and for a repository by name', async () => {
          const expected = await list(at(path), given)
          assert.deepEqual(await list(`/path${folder.path}/${path}`, given), expected)
          assert.deepEqual(await list(`/repo/default/id/${folder.uid}/${path}`, given), expected)
          assertRefused(await get(`/repo/nowhere/id/${folder.uid}/${path}`, given), 404, /nowhere/)
        })
        test('is refused on a document that may not be read or is not there', async () => {
          const secret = await bench.create('Folder')
          await bench.restrict(secret.uid)
          assertRefused(await get(at(path, secret), given, {}, 'bob'), 403, privilegeMissing('Read', 'bob'))
          assertRefused(await server.as('bob').post(at(path, secret), {}), 403, privilegeMissing('Read', 'bob'))
          assertRefused(await get(`/id/nobody/${path}`, given), 404, 'nobody')
        })
        test('answers GET alone', async () => {
          for (const method of ['POST', 'PUT', 'DELETE']) {
            const answer = await server.as('Administrator').call(method, `api/v1${at(path)}`)
            assertRefused(answer, 405, /./)
          }
        })
      })
    }
  },
  { plugins: [plugin] },
)
