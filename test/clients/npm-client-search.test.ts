import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'
import { type Client, type ClientDocuments, createClient, isClientDocument, refusalOf } from './npm-client.ts'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo' } }

onEachServer(
  'a search by the published npm client',
  (server) => {
    const bench = workbenchOn(server)
    let administrator: Client
    let alice: Client
    let folder: string
    const titles = ({ entries }: ClientDocuments) => entries.map(({ title }) => title)

    before(async () => {
      await server.addUser('alice', ['members'])
      administrator = createClient(server.url, 'Administrator')
      alice = createClient(server.url, 'alice')
      const made = await bench.create('Folder', { 'dc:title': 'Searched' }, { name: 'searched' })
      folder = made.uid
      for (const title of ['Banana', 'apple', 'Cherry pie', "it's \\ done", 'Elder']) {
        await bench.create('File', { 'dc:title': title }, { parent: made.path })
      }
      const hidden = await bench.create('File', { 'dc:title': 'Hidden' }, { parent: made.path })
      await bench.restrict(hidden.uid, grant('Administrator', 'Everything'))
    })

    describe('with a query', () => {
      test('gives documents and what is known about the page', async () => {
        const found = await administrator
          .repository()
          .query({ query: `SELECT * FROM File WHERE ecm:parentId = '${folder}' ORDER BY dc:title` })
        assert.ok(found.entries.every(isClientDocument))
        assert.deepEqual(titles(found), ['Banana', 'Cherry pie', 'Elder', 'Hidden', 'apple', "it's \\ done"])
        const { resultsCount, pageSize, currentPageSize, numberOfPages, hasError } = found
        assert.deepEqual(
          { resultsCount, pageSize, currentPageSize, numberOfPages, hasError },
          { resultsCount: 6, pageSize: 0, currentPageSize: 6, numberOfPages: 1, hasError: false },
        )
      })

      test('leaves out what the user may not see', async () => {
        const found = await alice.repository().query({ query: `SELECT * FROM File WHERE ecm:parentId = '${folder}'` })
        assert.equal(found.resultsCount, 5)
        assert.ok(!titles(found).includes('Hidden'))
      })

      test('gives one page after the other', async () => {
        const query = `SELECT * FROM File WHERE ecm:parentId = '${folder}'`
        const page = (currentPageIndex: number) =>
          alice.repository().query({ query, pageSize: 2, currentPageIndex, sortBy: 'dc:title', sortOrder: 'asc' })
        const pages = await Promise.all([0, 1, 2, 3].map(page))
        assert.deepEqual(pages.map(titles), [['Banana', 'Cherry pie'], ['Elder', 'apple'], ["it's \\ done"], []])
        assert.deepEqual(
          pages.map(({ isNextPageAvailable }) => isNextPageAvailable),
          [true, true, false, false],
        )
        assert.deepEqual([pages[1]?.numberOfPages, pages[1]?.isPreviousPageAvailable], [3, true])
      })

      test('sorts downwards when asked for', async () => {
        const query = `SELECT * FROM File WHERE ecm:parentId = '${folder}'`
        const found = await alice.repository().query({ query, sortBy: 'dc:title', sortOrder: 'desc', pageSize: 1 })
        assert.deepEqual(titles(found), ["it's \\ done"])
      })

      test('fills in ordered and named parameters, whatever is in them', async () => {
        const query = 'SELECT * FROM File WHERE ecm:parentId = ? AND dc:title = ?'
        const ordered = await alice.repository().query({ query, queryParams: [folder, "it's \\ done"] })
        const named = await alice.repository().query({
          query: 'SELECT * FROM File WHERE ecm:parentId = :folder AND dc:title = :title',
          folder,
          title: "it's \\ done",
        })
        assert.deepEqual([titles(ordered), titles(named)], [["it's \\ done"], ["it's \\ done"]])
      })

      test('counts no further than it is told', async () => {
        const query = `SELECT * FROM File WHERE ecm:parentId = '${folder}'`
        const found = await alice.repository().query({ query, pageSize: 2, maxResults: 3 })
        assert.deepEqual([found.resultsCount, found.currentPageSize], [-2, 2])
      })

      test('has the schemas that the client asks for', async () => {
        const query = `SELECT * FROM File WHERE ecm:parentId = '${folder}' ORDER BY dc:title`
        const { entries } = await alice.repository().schemas(['dublincore']).query({ query, pageSize: 1 })
        assert.equal(entries[0]?.get('dc:title'), 'Banana')
      })

      test('finds words', async () => {
        const found = await alice.repository().query({ query: "SELECT * FROM Document WHERE ecm:fulltext = 'cherry'" })
        assert.deepEqual(titles(found), ['Cherry pie'])
      })

      test('that is none is refused with the reason', async () => {
        const { status, body } = await refusalOf(alice.repository().query({ query: 'SELECT * FROM' }))
        assert.equal(status, 400)
        assert.match(body.message, /^Failed to execute query: SELECT \* FROM, /)
      })
    })

    describe('with a page provider', () => {
      test('gives the children of a document, and its name in the parameters does no harm', async () => {
        const found = await alice.repository().query({ pageProvider: 'CURRENT_DOC_CHILDREN', queryParams: [folder] })
        assert.deepEqual(titles(found), ['Banana', 'Cherry pie', 'Elder', 'apple', "it's \\ done"])
        assert.deepEqual([found.resultsCount, found.pageSize, found.numberOfPages], [5, 50, 1])
      })

      test('counts as far as its page where the provider says so', async () => {
        const page = (currentPageIndex: number) =>
          alice.repository().query({ pageProvider: 'CURRENT_DOC_CHILDREN', queryParams: [folder], pageSize: 1, currentPageIndex })
        const first = await page(0)
        assert.deepEqual([first.resultsCount, first.numberOfPages, first.isNextPageAvailable], [-2, 0, true])
        assert.deepEqual([(await page(4)).isNextPageAvailable, (await page(5)).isNextPageAvailable], [true, false])
      })

      test('takes criteria by their names and gives aggregates', async () => {
        const found = await alice.repository().query({ pageProvider: 'default_search', ecm_fulltext: 'banana' })
        assert.deepEqual(titles(found), ['Banana'])
        assert.ok(found.aggregations?.['dc_creator_agg'])
      })

      test('that is not there is refused', async () => {
        const { status, body } = await refusalOf(alice.repository().query({ pageProvider: 'nowhere' }))
        assert.equal(status, 404)
        assert.equal(body.message, "Could not resolve page provider with name 'nowhere'")
      })
    })
  },
  asTheOriginal,
)
