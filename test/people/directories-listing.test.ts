import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineDirectory } from '../../src/core/directories/directory-definition.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import type { AnswerBody } from '../../src/testing.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'

const rows = [
  { id: 'c', label: 'Gamma', ordering: 10 },
  { id: 'a', label: 'alpha', ordering: 30 },
  { id: 'b', label: 'Beta', ordering: 20 },
  { id: 'B2', label: 'beta two', ordering: 20, obsolete: 1 },
  { id: 'd', label: 'Älg', ordering: 9 },
]

const shelves = definePlugin({
  name: 'shelves',
  directories: [
    defineDirectory('greek', { schema: 'vocabulary', types: ['letters', 'short'], dataFile: async () => rows }),
    defineDirectory('latin', { schema: 'vocabulary', types: ['letters'] }),
    defineDirectory('hidden', { schema: 'vocabulary', types: ['letters', 'system'] }),
    defineDirectory('narrow', { schema: 'vocabulary', querySizeLimit: 2, dataFile: async () => rows }),
  ],
})

const idsIn = (body: AnswerBody): readonly string[] => body.entries.map(({ id }: { id: string }) => id)

onEachServer(
  'lists of directories',
  (server) => {
    before(() => server.addUser('bob'))
    const get = (path: string) => server.as('bob').get(path)

    describe('themselves', () => {
      test('show the directories by name, each with its schema, id field and parent, and no paging fields', async () => {
        const { status, body, headers } = await get('/directory')
        assert.equal(status, 200)
        assert.deepEqual(Object.keys(body), ['entity-type', 'entries'])
        assert.equal(body['entity-type'], 'directories')
        assert.match(headers.get('content-type') ?? '', /platform-entity=directories/)
        const names = body.entries.map(({ name }: { name: string }) => name)
        assert.deepEqual(names, names.toSorted())
        assert.deepEqual(
          body.entries.find(({ name }: { name: string }) => name === 'country'),
          { 'entity-type': 'directory', name: 'country', schema: 'xvocabulary', idField: 'id', parent: 'continent' },
        )
        assert.equal(body.entries.find(({ name }: { name: string }) => name === 'nature').parent, null)
      })

      test('leave out those of the system, which can be addressed all the same', async () => {
        const { body } = await get('/directory')
        const names = body.entries.map(({ name }: { name: string }) => name)
        for (const name of ['hidden', 'userDirectory', 'oauth2Tokens', 'subject']) assert.equal(names.includes(name), false, name)
        assert.equal((await get('/directory/hidden')).status, 200)
      })

      test('can be narrowed to those with one of some types, never to those of the system', async () => {
        const named = async (query: string) => (await get(`/directory${query}`)).body.entries.map(({ name }: AnswerBody) => name)
        assert.deepEqual(await named('?types=letters'), ['greek', 'latin'])
        assert.deepEqual(await named('?types=short&types=none'), ['greek'])
        assert.deepEqual(await named('?types=short,letters'), ['greek', 'latin'])
        assert.deepEqual(await named('?types=system'), [])
        assert.deepEqual(await named('?types=none'), [])
      })
    })

    describe('of entries', () => {
      test('have the whole envelope of a page', async () => {
        const { status, body } = await get('/directory/greek?pageSize=2&currentPageIndex=1')
        assert.equal(status, 200)
        const { entries, ...envelope } = body
        assert.deepEqual(envelope, {
          'entity-type': 'directoryEntries',
          isPaginable: true,
          resultsCount: 5,
          pageSize: 2,
          maxPageSize: 0,
          resultsCountLimit: 0,
          currentPageSize: 2,
          currentPageIndex: 1,
          currentPageOffset: 2,
          numberOfPages: 3,
          isPreviousPageAvailable: true,
          isNextPageAvailable: true,
          isLastPageAvailable: true,
          isSortable: true,
          hasError: false,
          errorMessage: null,
          pageIndex: 1,
          pageCount: 3,
        })
        assert.deepEqual(entries[0], {
          'entity-type': 'directoryEntry',
          directoryName: 'greek',
          id: 'B2',
          properties: { id: 'B2', label: 'beta two', obsolete: 1, ordering: 20 },
        })
      })

      test('go by ordering and then by id, obsolete entries among them', async () => {
        assert.deepEqual(idsIn((await get('/directory/greek')).body), ['d', 'c', 'B2', 'b', 'a'])
      })

      test('have fifty entries a page unless told, and all with a page size of 0 or less', async () => {
        const { body } = await get('/directory/country')
        assert.deepEqual([body.pageSize, body.entries.length, body.resultsCount, body.numberOfPages], [50, 50, 244, 5])
        for (const size of ['0', '-1']) {
          const all = (await get(`/directory/country?pageSize=${size}`)).body
          assert.deepEqual([all.entries.length, all.currentPageSize, all.numberOfPages], [244, 244, 1])
          assert.equal(all.isNextPageAvailable, false)
        }
        assert.equal((await get('/directory/country?pageSize=5000')).body.entries.length, 244)
      })

      test('begin at an offset, whatever the page index says', async () => {
        const { body } = await get('/directory/greek?pageSize=1&offset=3&currentPageIndex=0')
        assert.deepEqual([idsIn(body), body.currentPageOffset, body.currentPageIndex], [['b'], 3, 3])
        assert.deepEqual(idsIn((await get('/directory/greek?offset=4')).body), ['a'])
      })

      test('are empty behind the end, with the same count', async () => {
        const { status, body } = await get('/directory/greek?pageSize=2&currentPageIndex=7')
        assert.deepEqual([status, body.entries, body.resultsCount, body.currentPageSize], [200, [], 5, 0])
      })

      test('are counted no further than asked', async () => {
        const { body } = await get('/directory/greek?maxResults=3')
        assert.deepEqual([body.resultsCount, body.resultsCountLimit, body.entries.length], [-2, 3, 5])
        assert.equal((await get('/directory/greek?maxResults=5')).body.resultsCount, 5)
        assert.equal((await get('/directory/greek?maxResults=-1')).body.resultsCount, 5)
      })

      test('are sorted by fields of the directory, without regard to case, descending unless told otherwise', async () => {
        const sorted = async (query: string) => idsIn((await get(`/directory/greek?${query}`)).body)
        assert.deepEqual(await sorted('sortBy=label&sortOrder=asc'), ['a', 'b', 'B2', 'c', 'd'])
        assert.deepEqual(await sorted('sortBy=label'), ['d', 'c', 'B2', 'b', 'a'])
        assert.deepEqual(await sorted('sortBy=ordering&sortOrder=ASC'), ['d', 'c', 'B2', 'b', 'a'])
        assert.deepEqual(await sorted('sortBy=obsolete,id&sortOrder=desc,asc'), ['B2', 'a', 'b', 'c', 'd'])
      })

      test('hold those whose label begins so, in any case', async () => {
        const found = async (q: string) => idsIn((await get(`/directory/greek?q=${encodeURIComponent(q)}`)).body)
        assert.deepEqual(await found('BETA'), ['B2', 'b'])
        assert.deepEqual(await found(' alp '), ['a'])
        assert.deepEqual(await found('älg'), ['d'])
        assert.deepEqual(await found('ta'), [])
        assert.deepEqual(await found('%'), [])
        assert.deepEqual(await found('_'), [])
        assert.deepEqual(await found(''), ['d', 'c', 'B2', 'b', 'a'])
        assert.deepEqual(await found('\0'), [])
        assert.deepEqual(await found('a'.repeat(3_000)), [])
        assert.deepEqual(idsIn((await get('/directory/l10ncoverage?q=allem')).body), ['Germany'])
        assert.deepEqual(idsIn((await get('/directory/l10ncoverage?q=germ')).body), ['Germany'])
      })

      test('tell of an error when there are more than the directory lets one query find', async () => {
        const { status, body } = await get('/directory/narrow')
        assert.deepEqual([status, body.entries, body.hasError], [200, [], true])
        assert.equal(body.errorMessage, 'label.security.searchOverFlow')
        const beta = (await get('/directory/narrow?q=beta')).body
        assert.deepEqual([idsIn(beta), beta.hasError, beta.errorMessage], [['B2', 'b'], false, null])
      })

      test('refuse parameters that are no numbers and fields that cannot be sorted by', async () => {
        for (const parameter of ['pageSize', 'currentPageIndex', 'offset', 'maxResults'])
          for (const value of ['x', '1.5', '1e3', '99999999999999999999'])
            assertRefused(await get(`/directory/greek?${parameter}=${value}`), 400, `Invalid parameter: ${parameter}`)
        for (const field of ['nothing', 'dc:title', "x'y", 'toString'])
          assertRefused(
            await get(`/directory/greek?sortBy=${encodeURIComponent(field)}`),
            400,
            `The directory greek cannot be sorted by ${field}.`,
          )
        assertRefused(await get('/directory/userDirectory?sortBy=password'), 400, /cannot be sorted by password/)
        assertRefused(await get('/directory/userDirectory?sortBy=groups'), 400, /cannot be sorted by groups/)
      })

      test('are not found in a directory that is not there', async () => {
        for (const name of ['nowhere', 'Nature', 'toString', '__proto__', '..%2Fnature', '%00'])
          assertRefused(await get(`/directory/${name}`), 404, `Directory ${decodeURIComponent(name)} was not found`)
      })

      test('are the same for every repository, with and without a slash at the end', async () => {
        const { text } = await get('/directory/greek')
        assert.equal((await get('/directory/greek/')).text, text)
        assert.equal((await get('/repo/archive/directory/greek')).text, text)
        assert.equal((await server.as('bob').call('GET', 'site/api/v1/directory/greek')).text, text)
      })
    })

    test('are for nobody without credentials', async () => {
      for (const path of ['directory', 'directory/greek', 'directory/greek/a'])
        assert.equal((await fetch(new URL(`api/v1/${path}`, server.url))).status, 401)
    })
  },
  { plugins: [shelves], settings: { repositories: ['default', 'archive'] } },
)
