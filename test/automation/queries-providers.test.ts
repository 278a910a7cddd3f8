import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { titlesOf } from '../search/search-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const plugin = definePlugin({
  name: 'test-providers',
  pageProviders: [
    { name: 'around_here', pattern: 'SELECT * FROM File WHERE ecm:parentId = ?', parameters: ['#{currentDocument.id}'] },
    { name: 'files_of_folder', kind: 'rows', pattern: 'SELECT dc:title, dc:source FROM File WHERE ecm:parentId = ?' },
  ],
})

const titles = ['annual report', 'budget', 'report of may', 'summary']

onEachServer(
  '2.4 page providers',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    let nested: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder', { 'dc:title': 'folder' })
      for (const title of titles) {
        const properties = { 'dc:title': title, 'dc:nature': title.includes('report') ? 'report' : 'memo' }
        await bench.create('File', properties, { parent: folder.path })
      }
      const hidden = await bench.create('File', { 'dc:title': 'hidden' }, { parent: folder.path })
      await bench.restrict(hidden.uid)
      nested = await bench.create('Folder', { 'dc:title': 'nested' })
      await bench.create('Folder', { 'dc:title': 'inside' }, { parent: nested.path })
    })
    const inFolder = () => ({ ecm_path: JSON.stringify([folder.path]) })
    const call = (params: object, headers = {}, input?: unknown) =>
      operationsOn(server, 'bob')('Repository.PageProvider', { params, ...(input !== undefined && { input }) }, headers)

    describe('Repository.PageProvider', () => {
      const children = async (params: object = {}) =>
        requireStatus(200, await call({ providerName: 'CURRENT_DOC_CHILDREN', queryParams: [folder.uid], ...params }))
      const search = async (params: object = {}, headers = {}) =>
        requireStatus(200, await call({ providerName: 'default_search', namedParameters: inFolder(), ...params }, headers))

      test('gives what the provider finds for the caller, in its order', async () => {
        assert.deepEqual(titlesOf(await children()), titles)
      })
      test('answers under its alias, too', async () => {
        const params = { providerName: 'CURRENT_DOC_CHILDREN', searchTerm: folder.uid }
        const answer = await operationsOn(server, 'bob')('Document.PageProvider', { params })
        assert.deepEqual(titlesOf(requireStatus(200, answer)), titles)
      })
      test('gives the page that is asked for', async () => {
        const page = await children({ pageSize: 3, currentPageIndex: 1 })
        assert.deepEqual([titlesOf(page), page.currentPageIndex, page.isPreviousPageAvailable], [['summary'], 1, true])
        assert.deepEqual(titlesOf(await children({ pageSize: 3, page: 1 })), ['summary'])
      })
      test('begins at the offset, whichever page is asked for', async () => {
        assert.deepEqual(titlesOf(await children({ pageSize: 2, currentPageIndex: 7, offset: 1 })), titles.slice(1, 3))
      })
      test('sorts as it is told instead of as the provider does', async () => {
        assert.deepEqual(titlesOf(await children({ sortBy: 'dc:title' })), titles.toReversed())
        assert.deepEqual(titlesOf(await children({ sortBy: 'dc:nature,dc:title', sortOrder: 'DESC,ASC' })), [
          'annual report',
          'report of may',
          'budget',
          'summary',
        ])
      })
      test('fills the search document with named parameters, as text or JSON', async () => {
        const named = { ...inFolder(), ecm_fulltext: 'budget' }
        assert.deepEqual(titlesOf(await search({ namedParameters: named })), ['budget'])
        assert.deepEqual(titlesOf(await search({ namedParameters: `ecm_path=${folder.path}\necm_fulltext=budget` })), ['budget'])
        const sorted = { sortBy: 'dc:title', sortOrder: 'ASC' }
        const selected = { ecm_path: [folder.path], dc_nature_agg: ['memo'] }
        assert.deepEqual(titlesOf(await search({ namedParameters: selected, ...sorted })), ['budget', 'summary'])
      })
      test('computes the aggregates of the provider', async () => {
        const { aggregations } = await search()
        assert.deepEqual(aggregations.dc_nature_agg.buckets, [
          { key: 'memo', docCount: 2 },
          { key: 'report', docCount: 2 },
        ])
      })
      test('computes none where a header says so', async () => {
        assert.equal((await search({}, { skipAggregates: 'true' })).aggregations, undefined)
      })
      test('switches quick filters on', async () => {
        const list = await search({ quickFilters: 'noFolder,mostRecent' })
        assert.deepEqual(list.quickFilters, [
          { name: 'noFolder', active: true },
          { name: 'mostRecent', active: true },
          { name: 'onlyValidated', active: false },
        ])
        const inNested = { namedParameters: { ecm_path: [nested.path] } }
        assert.deepEqual(titlesOf(await search(inNested)), ['inside'])
        assert.deepEqual(titlesOf(await search({ ...inNested, quickFilters: ['noFolder'] })), [])
      })
      test('marks matches in the fields that are named', async () => {
        const params = { namedParameters: { ...inFolder(), ecm_fulltext: 'budget' }, highlights: ['dc:title.fulltext'] }
        const { entries } = await search(params, { 'enrichers-document': 'highlight' })
        assert.deepEqual(entries[0].contextParameters.highlight, [{ field: 'dc:title.fulltext', segments: ['<em>budget</em>'] }])
      })
      test('starts at the document that it is given', async () => {
        const here = requireStatus(200, await call({ providerName: 'around_here', sortBy: 'dc:title' }, {}, `doc:${folder.uid}`))
        assert.deepEqual(titlesOf(here), titles.toReversed())
      })
      test('takes a link builder and does nothing with it', async () => {
        assert.deepEqual(titlesOf(await children({ documentLinkBuilder: 'any' })), titles)
      })

      const rows: [what: string, params: object, status: number, message: RegExp][] = [
        ['no provider', {}, 400, /Failed to inject parameter 'providerName'/],
        ['a provider that is not there', { providerName: 'no_such' }, 404, /page provider with name 'no_such'$/],
        ['a provider of rows', { providerName: 'files_of_folder' }, 400, /gives rows, not documents/],
        ['a parameter that is missing', { providerName: 'CURRENT_DOC_CHILDREN' }, 400, /Illegal character <\?>/],
        [
          'a criterion that is no date',
          { providerName: 'default_search', namedParameters: { dc_created_min: 'soon' } },
          400,
          /soon/,
        ],
        ['another language', { providerName: 'default_search', language: 'CMIS' }, 400, /invalid query language$/],
      ]
      for (const [what, params, status, message] of rows) {
        test(`refuses ${what}`, async () => assertRefused(await call(params), status, message))
      }
    })
  },
  { plugins: [plugin] },
)

onEachServer(
  '2.4 record sets',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
      for (const title of ['gamma', 'alpha', 'beta']) {
        await bench.create('File', { 'dc:title': title, 'dc:source': `of ${title}` }, { parent: folder.path })
      }
      const hidden = await bench.create('File', { 'dc:title': 'hidden' }, { parent: folder.path })
      await bench.restrict(hidden.uid)
    })
    const call = (id: string, params: object) => operationsOn(server, 'bob')(id, { params })

    describe('Repository.ResultSetQuery', () => {
      const select = () => `SELECT dc:title, dc:source FROM File WHERE ecm:parentId = '${folder.uid}' ORDER BY dc:title`
      const query = async (params: object = {}) =>
        requireStatus(200, await call('Repository.ResultSetQuery', { query: select(), ...params }))
      const rows = ['alpha', 'beta', 'gamma'].map((title) => ({ 'dc:title': title, 'dc:source': `of ${title}` }))

      test('acceptance 19: gives rows by the names of their columns, in order, with what is known of the page', async () => {
        assert.deepEqual(await query({ pageSize: 2 }), {
          'entity-type': 'recordSet',
          isPaginable: true,
          resultsCount: 3,
          pageSize: 2,
          maxPageSize: 1000,
          currentPageSize: 2,
          currentPageIndex: 0,
          numberOfPages: 2,
          isPreviousPageAvailable: false,
          isNextPageAvailable: true,
          isLastPageAvailable: true,
          isSortable: true,
          hasError: false,
          errorMessage: null,
          entries: rows.slice(0, 2),
        })
      })
      test('gives the page that is asked for, in the order that is asked for', async () => {
        const sorted = { sortBy: 'dc:title', sortOrder: 'DESC' }
        assert.deepEqual((await query({ pageSize: 2, currentPageIndex: 1, ...sorted })).entries, rows.slice(0, 1))
      })
      test('fills places and names, and counts so far', async () => {
        const named = { query: 'SELECT dc:source FROM File WHERE dc:title = ? AND dc:source = :source' }
        const filled = await query({ ...named, queryParams: 'beta', namedParameters: { source: 'of beta' } })
        assert.deepEqual(filled.entries, [{ 'dc:source': 'of beta' }])
        assert.equal((await query({ maxResults: 1, pageSize: 1 })).resultsCount, -2)
      })
      test('gives ids where everything is selected, and totals', async () => {
        const { entries } = await query({ query: `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'` })
        assert.deepEqual(Object.keys(entries[0]), ['ecm:uuid'])
        const counted = await query({ query: `SELECT COUNT(dc:title) FROM File WHERE ecm:parentId = '${folder.uid}'` })
        assert.deepEqual(counted.entries, [{ 'COUNT(dc:title)': 3 }])
      })
      test('answers under its alias, too', async () => {
        const answer = await call('ResultSet.PaginatedQuery', { query: select() })
        assert.deepEqual(requireStatus(200, answer).entries, rows)
      })
      const refused: [what: string, params: object, message: RegExp][] = [
        ['no query', {}, /Failed to inject parameter 'query'/],
        ['a column that is none', { query: 'SELECT no:such FROM File' }, /no:such/],
        ['another language', { query: 'SELECT ecm:uuid FROM File', language: 'CMIS' }, /invalid query language$/],
      ]
      for (const [what, params, message] of refused) {
        test(`refuses ${what}`, async () => assertRefused(await call('Repository.ResultSetQuery', params), 400, message))
      }
    })

    describe('Repository.ResultSetPageProvider', () => {
      const run = async (params: object = {}, id = 'Repository.ResultSetPageProvider') =>
        requireStatus(200, await call(id, { providerName: 'files_of_folder', queryParams: folder.uid, ...params }))
      const sorted = { sortBy: 'dc:title', sortOrder: 'ASC' }

      test('gives the rows that the provider selects', async () => {
        const { entries, ...page } = await run(sorted)
        assert.deepEqual(
          entries.map((row: Answered) => row['dc:title']),
          ['alpha', 'beta', 'gamma'],
        )
        assert.deepEqual([page['entity-type'], page.resultsCount, page.currentPageSize], ['recordSet', 3, 3])
      })
      test('gives the page that is asked for, under its alias, too', async () => {
        const { entries } = await run({ pageSize: 2, page: 1, ...sorted }, 'Resultset.PageProvider')
        assert.deepEqual(entries, [{ 'dc:title': 'gamma', 'dc:source': 'of gamma' }])
      })
      test('counts as far as it is told, to the end where that is no number', async () => {
        const count = async (maxResults: string) => (await run({ pageSize: 1, maxResults })).resultsCount
        assert.deepEqual([await count('2'), await count('3'), await count('PAGE_SIZE'), await count('all')], [-2, 3, -2, 3])
      })
      test('counts to 100 unless it is told', async () => {
        const many = await bench.create('Folder')
        await server.asSystem(async ({ tx }) => {
          const parent = await tx.documents.find(many.uid)
          const [template] = await tx.documents.listChildren({ parentId: folder.uid }, [], 1, 0)
          assert.ok(parent && template)
          const rows = Array.from({ length: 101 }, (_, index) => ({
            ...template,
            id: crypto.randomUUID(),
            parentId: parent.id,
            acpId: parent.acpId,
            name: `f${index}`,
            path: `${parent.path}/f${index}`,
          }))
          await tx.documents.insertMany(rows)
        })
        assert.equal((await run({ queryParams: many.uid, pageSize: 10 })).resultsCount, -2)
        assert.equal((await run({ queryParams: many.uid, pageSize: 10, maxResults: '200' })).resultsCount, 101)
      })
      test('gives the ids of what a provider of documents finds', async () => {
        const { entries } = await run({ providerName: 'CURRENT_DOC_CHILDREN' })
        assert.deepEqual([entries.length, Object.keys(entries[0])], [3, ['ecm:uuid']])
      })
      test('finds entries of rights by who has them', async () => {
        const { uid } = await bench.create('Folder', { 'dc:title': 'shared' })
        const params = { permission: 'Write', users: ['bob'] }
        requireStatus(200, await operationsOn(server)('Document.AddPermission', { input: uid, params }))
        const criteria = { ace_username: '["bob"]' }
        const answer = await call('Repository.ResultSetPageProvider', {
          providerName: 'PERMISSIONS_SEARCH',
          namedParameters: criteria,
        })
        const [row] = requireStatus(200, answer).entries
        assert.deepEqual([row['ecm:uuid'], row['ecm:acl/*1/principal'], row['ecm:acl/*1/permission']], [uid, 'bob', 'Write'])
      })
      test('of what is no documents is told from one that is not there', async () => {
        const params = { providerName: 'users_listing', namedParameters: {} }
        assertRefused(await call('Repository.PageProvider', params), 400, /'users_listing' gives users, not documents/)
      })
      test('needs a provider that is there', async () => {
        assertRefused(await call('Repository.ResultSetPageProvider', {}), 400, /Failed to inject parameter 'providerName'/)
        assertRefused(await call('Repository.ResultSetPageProvider', { providerName: 'no_such' }), 404, /'no_such'$/)
      })
      test('refuses what the provider cannot be run with', async () => {
        const params = { providerName: 'files_of_folder', queryParams: ['a', 'b'] }
        assertRefused(await call('Repository.ResultSetPageProvider', params), 400, /has 1 place\(s\)/)
      })
    })
  },
  { plugins: [plugin] },
)
