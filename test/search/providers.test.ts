import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePageProvider, type PageProvider } from '../../src/core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../src/core/search/providers/provider-request.ts'
import { runProvider, runRowProvider } from '../../src/core/search/providers/run-provider.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const earlier = definePlugin({
  name: 'earlier',
  pageProviders: [
    definePageProvider({ name: 'replaced', pattern: 'SELECT * FROM Relation' }),
    definePageProvider({ name: 'removed' }),
    definePageProvider({ name: 'folder_content', pattern: 'SELECT * FROM Document WHERE ecm:parentId = ?' }),
  ],
})
const later = definePlugin({
  name: 'later',
  requires: ['earlier'],
  pageProviders: [
    definePageProvider({ name: 'replaced', pattern: 'SELECT * FROM File' }),
    definePageProvider({ name: 'removed', enabled: false }),
  ],
})

onEachServer(
  '16 page providers',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    let files: readonly Answered[]
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      files = await Promise.all(
        ['b', 'a', 'c'].map((title) => bench.create('File', { 'dc:title': title, 'dc:source': title }, { parent: folder.path })),
      )
    })

    const inFolder = () => `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`
    const titles = (documents: readonly { readonly properties: { readonly [name: string]: unknown } }[]) =>
      documents.map(({ properties }) => properties['dc:title']).join('')

    function run(provider: Omit<PageProvider, 'name'>, request: ProviderRequest = {}, user = 'Administrator') {
      return server.inSession(user, (session) => runProvider(session, { name: 'p', ...provider }, request))
    }

    function runNamed(name: string, request: ProviderRequest = {}, user = 'Administrator') {
      return server.inSession(user, (session) => runProvider(session, session.repository.pageProviders.read(name), request))
    }

    describe('15.3 counting', () => {
      const children = (pageSize: number, pageIndex = 0) =>
        runNamed('CURRENT_DOC_CHILDREN', { parameters: [folder.uid], pageSize, pageIndex })

      test('goes as far as a page: three children in pages of 50 are known', async () => {
        const { page, documents } = await children(50)
        assert.deepEqual([page.resultsCount, page.resultsCountLimit, titles(documents)], [3, 50, 'abc'])
      })

      test('does not know more: pages of 1 go on until one is empty', async () => {
        const pages = await Promise.all([0, 1, 2, 3].map((index) => children(1, index)))
        assert.deepEqual(
          pages.map(({ page, documents }) => [page.resultsCount, titles(documents)]),
          [
            [-2, 'a'],
            [-2, 'b'],
            [-2, 'c'],
            [-2, ''],
          ],
        )
      })

      test('never cuts the page', async () => {
        const { page, documents } = await run({ pattern: inFolder(), maxResults: 1 })
        assert.deepEqual([page.resultsCount, documents.length], [-2, 3])
      })

      test('up to the limit is exact', async () => {
        assert.equal((await run({ pattern: inFolder(), maxResults: 3, pageSize: 1 })).page.resultsCount, 3)
        assert.equal((await run({ pattern: inFolder(), maxResults: 2, pageSize: 1 })).page.resultsCount, -2)
      })
    })

    describe('15.2 a page', () => {
      const sort = [{ column: 'dc:title', isAscending: false }]
      test('in the order of the request', async () => {
        assert.equal(titles((await run({ pattern: inFolder() }, { sort })).documents), 'cba')
      })

      test('from an offset', async () => {
        const { page, documents } = await run({ pattern: inFolder(), pageSize: 2 }, { offset: 1, sort })
        assert.deepEqual([titles(documents), page.currentPageIndex, page.currentPageOffset], ['ba', 0, 1])
      })

      test('past the end is empty and keeps its index', async () => {
        const { page, documents } = await run({ pattern: inFolder(), pageSize: 2 }, { pageIndex: 9 })
        assert.deepEqual([documents, page.currentPageIndex, page.resultsCount, page.error], [[], 9, 3, null])
      })

      test('9 of a query with LIMIT has no more than that', async () => {
        const { page } = await run({ pattern: `${inFolder()} LIMIT 2`, pageSize: 1 })
        assert.equal(page.resultsCount, 2)
      })
    })

    describe('12 a mistake in the query', () => {
      const failures: [pattern: string, reason: string][] = [
        ['SELECT * FROM Document WHERE owner = 1', 'No such property: owner'],
        ['SELECT * FROM NoSuchType', 'Unknown type: NoSuchType'],
        ['SELECT * FROM Document WHERE dc:title = :x', 'Lexical Error: Illegal character <:> at offset 40'],
        ['SELECT * FROM Document WHERE dc:title = ?', 'Lexical Error: Illegal character <?> at offset 40'],
      ]
      for (const [pattern, reason] of failures) {
        test(`${pattern} is the error of the page`, async () => {
          const { page, documents, query } = await run({ pattern })
          assert.deepEqual([page.error, documents, query], [`Failed to execute query: ${pattern}, ${reason}`, [], undefined])
        })
      }

      test('14.2 too many parameters are one', async () => {
        const { page } = await run({ pattern: inFolder() }, { parameters: ['x'] })
        assert.equal(page.error, 'The query has 0 place(s) for parameters, but 1 were given.')
      })

      test('14.2 a bad value of a criterion is one', async () => {
        const { page } = await runNamed('default_search', { named: { dc_modified_min: 'soon' } })
        assert.equal(page.error, "Invalid parameter: dc_modified_min must be a date, not 'soon'.")
      })
    })

    describe('14.1 $currentUser and $currentRepository', () => {
      test('are who asks and where', async () => {
        const pattern = `${inFolder()} AND dc:creator = ? AND dc:title < :repository`
        const request = { parameters: ['$currentUser'], named: { repository: '$currentRepository' } }
        assert.equal((await run({ pattern }, request)).documents.length, 3)
        assert.equal((await run({ pattern }, { ...request, parameters: ['$currentUsers'] })).documents.length, 0)
      })
    })

    describe('16.1 what a principal finds', () => {
      test('is what it may browse, unless the provider is unrestricted', async () => {
        const [first] = files
        await bench.restrict(first.uid, grant('bob', 'Browse'))
        assert.equal((await run({ pattern: inFolder() }, {}, 'bob')).page.resultsCount, 3)
        await bench.restrict(first.uid)
        assert.equal((await run({ pattern: inFolder() }, {}, 'bob')).page.resultsCount, 2)
        assert.equal((await run({ pattern: inFolder(), isUnrestricted: true }, {}, 'bob')).page.resultsCount, 3)
        const own = await run(
          { pattern: `${inFolder()} AND dc:creator = ?`, isUnrestricted: true },
          { parameters: ['$currentUser'] },
          'bob',
        )
        assert.equal(own.page.resultsCount, 0)
      })
    })

    describe('16.1 a definition', () => {
      test('that comes later replaces the earlier one', async () => {
        const { page } = await runNamed('replaced')
        assert.equal(page.error, null)
      })

      test('that is not enabled removes the earlier one', async () => {
        assert.equal((await server.as('Administrator').get('/search/pp/removed/execute')).status, 404)
        assert.equal((await server.as('Administrator').get('/search/pp/folder_content')).status, 200)
      })
    })

    describe('16.1 a provider of rows', () => {
      const rows = (provider: Omit<PageProvider, 'name'>, request: ProviderRequest = {}) =>
        server.inSession('Administrator', (session) => runRowProvider(session, { name: 'p', kind: 'rows', ...provider }, request))
      const ofFolder = (columns: string) =>
        `SELECT ${columns} FROM Document WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title`

      test('gives values by the names of its columns', async () => {
        const found = await rows({ pattern: ofFolder('dc:title, ecm:isVersion, dc:expired'), pageSize: 2 })
        assert.deepEqual(found.rows, [
          { 'dc:title': 'a', 'ecm:isVersion': false, 'dc:expired': null },
          { 'dc:title': 'b', 'ecm:isVersion': false, 'dc:expired': null },
        ])
        assert.equal(found.page.resultsCount, 3)
      })

      test('10 gives dates in milliseconds, and aliases as names', async () => {
        const [first] = (await rows({ pattern: ofFolder('dc:created AS made') })).rows
        assert.ok(Math.abs(Number(first?.['made']) - Date.now()) < 600_000)
      })

      test('10 gives ids for everything', async () => {
        const found = await rows({ pattern: inFolder(), sort: [{ column: 'dc:title', isAscending: true }] })
        const [b, a, c] = files
        assert.deepEqual(
          found.rows,
          [a, b, c].map((file) => ({ 'ecm:uuid': file.uid })),
        )
      })

      test('10 gives one row of totals', async () => {
        assert.deepEqual(
          (await rows({ pattern: `SELECT COUNT(dc:title) FROM Document WHERE ecm:parentId = '${folder.uid}'` })).rows,
          [{ 'COUNT(dc:title)': 3 }],
        )
      })

      test('12 names the language in its error', async () => {
        const { page } = await rows({ pattern: 'SELECT nothing FROM Document' })
        assert.equal(page.error, 'Failed to execute query: NXQL: SELECT nothing FROM Document, No such property: nothing')
      })

      test('gives no documents', async () => {
        const { page } = await runNamed('PERMISSIONS_SEARCH', { parameters: ['x'] }, 'bob')
        assert.equal(page.error, "The page provider 'PERMISSIONS_SEARCH' gives rows, not documents.")
      })
    })
  },
  { plugins: [earlier, later] },
)
