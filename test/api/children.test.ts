import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { assertRefused, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const titlesOf = (list: Answered) => list.entries.map((entry: { title: string }) => entry.title)

onEachServer('@children', (server) => {
  const bench = workbenchOn(server)
  const titles = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']
  const sorted = [...titles].sort()
  let folder: Answered
  before(async () => {
    await server.addUser('bob', ['members'])
    folder = await bench.create('Folder')
    for (const title of titles) await bench.create('File', { 'dc:title': title }, { parent: folder.path })
  })
  const ask = (query = '', headers = {}, user = 'Administrator') =>
    server.as(user).get(`/id/${folder.uid}/@children${query}`, headers)
  const list = async (query = '', headers = {}, user = 'Administrator') => requireStatus(200, await ask(query, headers, user))
  const listOf = async (uid: string, user = 'Administrator') =>
    requireStatus(200, await server.as(user).get(`/id/${uid}/@children`))

  describe('lists', () => {
    test('the children by title, fifty a page, in an envelope of these fields', async () => {
      const answer = await ask()
      assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=documents')
      const { entries, ...envelope } = requireStatus(200, answer)
      assert.deepEqual(titlesOf({ entries }), sorted)
      assert.deepEqual(envelope, {
        'entity-type': 'documents',
        isPaginable: true,
        resultsCount: 5,
        pageSize: 50,
        maxPageSize: 1000,
        resultsCountLimit: 50,
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
    test('the same each time they are asked for, compressed or not, and what has changed at once', async () => {
      const own = await bench.create('Folder')
      const first = await bench.create('File', { 'dc:title': 'a' }, { parent: own.path })
      const second = await bench.create('File', { 'dc:title': 'b – ü' }, { parent: own.path })
      const times = async () => {
        const texts = new Set<string>()
        for (const encoding of ['identity', 'identity', 'gzip', 'identity', 'gzip', 'identity']) {
          const headers = { properties: '*', 'accept-encoding': encoding }
          texts.add(JSON.stringify(requireStatus(200, await server.as('Administrator').get(`/id/${own.uid}/@children`, headers))))
        }
        assert.equal(texts.size, 1)
        return titlesOf(JSON.parse([...texts].join('')))
      }
      assert.deepEqual(await times(), ['a', 'b – ü'])
      const entity = { 'entity-type': 'document', properties: { 'dc:title': 'c' } }
      requireStatus(200, await server.as('Administrator').put(`/id/${second.uid}`, entity))
      assert.deepEqual(await times(), ['a', 'c'])
      requireStatus(200, await server.as('Administrator').put(`/id/${first.uid}`, entity))
      assert.deepEqual(await times(), ['c', 'c'])
    })
    test('its fields in the order that clients know, entries last', async () => {
      assert.deepEqual(Object.keys(await list()), [
        'entity-type',
        'isPaginable',
        'resultsCount',
        'pageSize',
        'maxPageSize',
        'resultsCountLimit',
        'currentPageSize',
        'currentPageIndex',
        'currentPageOffset',
        'numberOfPages',
        'isPreviousPageAvailable',
        'isNextPageAvailable',
        'isLastPageAvailable',
        'isSortable',
        'hasError',
        'errorMessage',
        'totalSize',
        'pageIndex',
        'pageCount',
        'entries',
      ])
    })
    test('the same by path', async () => {
      assert.deepEqual((await server.as('Administrator').get(`/path${folder.path}/@children`)).body, await list())
    })
    test('documents as they are shown by themselves, with what is asked for', async () => {
      const headers = { properties: 'dublincore', 'enrichers-document': 'permissions', 'fetch-document': 'versionLabel' }
      const { entries } = await list('', headers)
      for (const entry of entries) assert.deepEqual(entry, await bench.read(entry.uid, headers))
    })
    test('titles by code point, capitals before small letters', async () => {
      const { uid, path } = await bench.create('Folder')
      for (const title of ['b', 'é', 'a', 'B', 'z', '\u{1f600}', '\uff21', '10', '9']) {
        await bench.create('File', { 'dc:title': title }, { parent: path })
      }
      assert.deepEqual(titlesOf(await listOf(uid)), ['10', '9', 'B', 'a', 'b', 'z', 'é', '\uff21', '\u{1f600}'])
    })
    test('the children of an ordered folder by title too', async () => {
      const { uid, path } = await bench.create('OrderedFolder')
      for (const title of ['c', 'a', 'b']) await bench.create('File', { 'dc:title': title }, { parent: path })
      assert.deepEqual(titlesOf(await listOf(uid)), ['a', 'b', 'c'])
    })
    test('nothing below a document that has no children', async () => {
      for (const type of ['File', 'Folder', 'Note']) {
        const { entries, resultsCount, numberOfPages } = await listOf((await bench.create(type)).uid)
        assert.deepEqual([entries, resultsCount, numberOfPages], [[], 0, 1])
      }
    })
    test('only direct children', async () => {
      const outer = await bench.create('Folder')
      const inner = await bench.create('Folder', { 'dc:title': 'inner' }, { parent: outer.path })
      await bench.create('File', {}, { parent: inner.path })
      assert.deepEqual(titlesOf(await listOf(outer.uid)), ['inner'])
    })
  })

  describe('pages', () => {
    /** Children are counted as far as a page goes; -2 says that there are more. */
    type Row = readonly [
      query: string,
      titles: readonly string[],
      resultsCount: number,
      fields: { readonly [field: string]: unknown },
    ]
    const rows: readonly Row[] = [
      [
        '?pageSize=2',
        sorted.slice(0, 2),
        -2,
        {
          pageSize: 2,
          resultsCountLimit: 2,
          currentPageIndex: 0,
          currentPageOffset: 0,
          numberOfPages: 0,
          isPreviousPageAvailable: false,
          isNextPageAvailable: true,
          isLastPageAvailable: false,
        },
      ],
      [
        '?pageSize=2&currentPageIndex=1',
        sorted.slice(2, 4),
        -2,
        { currentPageIndex: 1, currentPageOffset: 2, isPreviousPageAvailable: true, isNextPageAvailable: true },
      ],
      [
        '?pageSize=2&currentPageIndex=2',
        sorted.slice(4),
        -2,
        {
          currentPageIndex: 2,
          currentPageOffset: 4,
          currentPageSize: 1,
          isPreviousPageAvailable: true,
          isNextPageAvailable: false,
          isLastPageAvailable: false,
        },
      ],
      [
        '?pageSize=2&currentPageIndex=7',
        [],
        -2,
        {
          currentPageIndex: 7,
          currentPageSize: 0,
          numberOfPages: 0,
          isPreviousPageAvailable: true,
          isNextPageAvailable: false,
        },
      ],
      ['?pageSize=5', sorted, 5, { numberOfPages: 1, isNextPageAvailable: false, resultsCountLimit: 5 }],
      ['?pageSize=4', sorted.slice(0, 4), -2, { numberOfPages: 0, isNextPageAvailable: true }],
      ['?pageSize=1&currentPageIndex=4', sorted.slice(4), -2, { numberOfPages: 0, isNextPageAvailable: true }],
      ['?pageSize=1&currentPageIndex=5', [], -2, { numberOfPages: 0, isNextPageAvailable: false }],
      ['?pagesize=2&page=1', sorted.slice(2, 4), -2, { pageSize: 2, currentPageIndex: 1 }],
      ['?pageSize=2&pagesize=3&currentPageIndex=1&page=0', sorted.slice(2, 4), -2, { pageSize: 2, currentPageIndex: 1 }],
      ['?pageSize=2&offset=3', sorted.slice(3), -2, { currentPageIndex: 1, currentPageOffset: 3 }],
      ['?pageSize=&page=', sorted, 5, { pageSize: 50, currentPageIndex: 0 }],
      ['?pageSize=0', sorted, 5, { pageSize: 0, numberOfPages: 1, currentPageIndex: 0, isNextPageAvailable: false }],
      [
        '?pageSize=0&currentPageIndex=3',
        sorted,
        5,
        { currentPageIndex: 0, currentPageOffset: 0, isPreviousPageAvailable: false },
      ],
      ['?pageSize=-1', sorted, 5, { numberOfPages: 1, currentPageIndex: 0, isNextPageAvailable: false }],
      ['?pageSize=2000', sorted, 5, { pageSize: 2000, maxPageSize: 1000, numberOfPages: 1 }],
      ['?maxResults=1', sorted, 5, { resultsCountLimit: 50 }],
      ['?pageSize=2&maxResult=-1', sorted.slice(0, 2), -2, { resultsCountLimit: 2 }],
      ['?unknown=parameter', sorted, 5, {}],
    ]
    for (const [query, expected, resultsCount, fields] of rows) {
      test(`with ${query} hold ${expected.join(', ') || 'nothing'}`, async () => {
        const body = await list(query)
        assert.deepEqual(titlesOf(body), expected)
        assert.equal(body.currentPageSize, expected.length)
        assert.deepEqual([body.resultsCount, body.totalSize], [resultsCount, resultsCount])
        for (const [field, value] of Object.entries(fields)) assert.equal(body[field], value, field)
        assert.deepEqual([body.pageIndex, body.pageCount], [body.currentPageIndex, body.numberOfPages])
      })
    }
    for (const name of ['pageSize', 'pagesize', 'currentPageIndex', 'page', 'maxResults', 'maxResult']) {
      for (const text of ['many', '1.5', '1e1', '99999999999999999999']) {
        test(`with ${name}=${text} are refused`, async () => {
          assertRefused(await ask(`?${name}=${text}`), 400, `Invalid parameter: ${name}`)
        })
      }
    }
    test('of one entry each are none when there is no child', async () => {
      const { uid } = await bench.create('Folder')
      const { body } = await server.as('Administrator').get(`/id/${uid}/@children?pageSize=1`)
      assert.equal(body.numberOfPages, 0)
    })
    test('put together are the whole, each child once', async () => {
      const pages = [0, 1, 2].map((page) => list(`?pageSize=2&currentPageIndex=${page}&sortBy=dc:creator`))
      const found = (await Promise.all(pages)).flatMap(titlesOf)
      assert.deepEqual(found.sort(), sorted)
    })
  })

  describe('sorts', () => {
    const rows: readonly [query: string, titles: readonly string[]][] = [
      ['?sortBy=dc:title&sortOrder=asc', sorted],
      ['?sortBy=dc:title&sortOrder=ASC', sorted],
      ['?sortBy=dc:title&sortOrder=desc', sorted.toReversed()],
      ['?sortBy=dc:title', sorted.toReversed()],
      ['?sortBy=dc:title&sortOrder=', sorted.toReversed()],
      ['?sortBy=dc:title&sortOrder=upwards', sorted.toReversed()],
      ['?sortOrder=desc', sorted],
      ['?sortBy=', sorted],
      ['?sortBy=dc:created&sortOrder=asc', titles],
      ['?sortBy=dc:creator,dc:title&sortOrder=asc', sorted.toReversed()],
      ['?sortBy=dc:creator,dc:title&sortOrder=desc,asc', sorted],
      ['?sortBy=dc:creator, dc:title&sortOrder=asc, asc', sorted],
      ['?sortBy=ecm:primaryType,dc:created&sortOrder=asc,asc', titles],
    ]
    for (const [query, expected] of rows) {
      test(`with ${query} as ${expected.join(', ')}`, async () => {
        assert.deepEqual(titlesOf(await list(query)), expected)
      })
    }
  })

  describe('tells of a sort by', () => {
    for (const column of ['dc:nope', 'dc:title DESC', "dc:title' OR 1 = 1"]) {
      test(`${column} as the error of an empty page`, async () => {
        const { hasError, errorMessage, entries } = await list(`?sortBy=${encodeURIComponent(column)}`)
        assert.deepEqual([hasError, entries], [true, []])
        assert.ok(errorMessage.includes(column), errorMessage)
      })
    }
  })

  describe('leaves out', () => {
    let parent: Answered
    const childIn = async (type: string, title: string) => bench.create(type, { 'dc:title': title }, { parent: parent.path })
    before(async () => {
      parent = await bench.create('Folder')
      await childIn('File', 'seen')
    })
    const namesSeen = async (user = 'Administrator') => titlesOf(await listOf(parent.uid, user))

    test('trashed children', async () => {
      await bench.change((await childIn('File', 'trashed')).uid, { isTrashed: true })
      assert.ok(!(await namesSeen()).includes('trashed'))
    })
    test('children hidden by their type', async () => {
      await childIn('HiddenFolder', 'hidden by type')
      assert.ok(!(await namesSeen()).includes('hidden by type'))
    })
    test('no children that were given the hiding facet themselves: only a type hides', async () => {
      await server.asSystem(async (session) => {
        const facets = ['HiddenInNavigation']
        const properties = { 'dc:title': 'own facet' }
        const wanted = { parent: await readDocument(session, parent.uid), type: 'File', name: 'h', facets, properties }
        await createDocument(session, wanted)
      })
      assert.ok((await namesSeen()).includes('own facet'))
    })
    test('versions', async () => {
      const { uid } = await childIn('File', 'versioned')
      await bench.update(uid, { 'dc:rights': 'r' }, { 'X-Versioning-Option': 'MINOR' })
      assert.equal((await namesSeen()).filter((title: string) => title === 'versioned').length, 1)
    })
    test('children that the caller may not browse, also from the count', async () => {
      const { uid } = await childIn('File', 'secret')
      await bench.restrict(uid)
      const [all, some] = [await listOf(parent.uid), await listOf(parent.uid, 'bob')]
      assert.ok(titlesOf(all).includes('secret'))
      assert.ok(!titlesOf(some).includes('secret'))
      assert.equal(some.resultsCount, all.resultsCount - 1)
    })
    test('no child that may be browsed, even if it may not be read', async () => {
      const { uid } = await childIn('File', 'browsed')
      await bench.restrict(uid, grant('bob', 'Browse'))
      assert.ok((await namesSeen('bob')).includes('browsed'))
      assertRefused(await server.as('bob').get(`/id/${uid}`), 403, privilegeMissing('Read', 'bob'))
    })
    test('no proxies, which show what they point to', async () => {
      const target = await bench.create('File', { 'dc:title': 'pointed to' })
      const proxy = await bench.createProxy(parent.uid, target.uid)
      const { entries } = await listOf(parent.uid)
      const found = entries.find((entry: { uid: string }) => entry.uid === proxy)
      assert.deepEqual([found.isProxy, found.title, found.path], [true, 'pointed to', (await bench.read(proxy)).path])
    })
    test('nothing anew when a right changes: the next request sees it', async () => {
      const { uid } = await childIn('File', 'sometimes')
      for (const isSeen of [true, false, true]) {
        await (isSeen ? bench.setAcls(uid, []) : bench.restrict(uid))
        assert.equal((await namesSeen('bob')).includes('sometimes'), isSeen)
      }
    })
  })

  describe('refuses', () => {
    test('targets that are no document', async () => {
      const message = (type: string) => `Adapter 'children' cannot be applied to resource of type ${type}`
      const administrator = server.as('Administrator')
      assertRefused(await administrator.get(`/bulk;id=${folder.uid}/@children`), 400, message('Documents'))
      assertRefused(await administrator.get('/@children'), 400, message('Root'))
      assertRefused(await administrator.get(`/id/${folder.uid}/@children/@children`), 400, message('Documents'))
    })
    test('targets that do not exist or may not be read, before anything else', async () => {
      const { uid } = await bench.create('Folder')
      await bench.restrict(uid)
      assertRefused(await server.as('bob').get(`/id/${uid}/@children?pageSize=x`), 403, privilegeMissing('Read', 'bob'))
      assertRefused(await server.as('bob').get('/path/nowhere/@children?pageSize=x'), 404, '/nowhere')
    })
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      test(`${method}, and says what is allowed`, async () => {
        const answer: ApiAnswer = await server.as('Administrator').call(method, `api/v1/id/${folder.uid}/@children`)
        assertRefused(answer, 405, /./)
        assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), ['GET', 'HEAD', 'OPTIONS'])
      })
    }
  })
})

onEachServer(
  '@children of a server with small pages',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      folder = await bench.create('Folder')
      for (const title of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
        await bench.create('Folder', { 'dc:title': title }, { parent: folder.path })
      }
    })
    type Row = readonly [query: string, titles: string, pageSize: number, offset: number, count: number, hasNext: boolean]
    const rows: readonly Row[] = [
      ['', 'abc', 50, 0, -2, true],
      ['?pageSize=100&currentPageIndex=1', 'def', 100, 3, -2, true],
      ['?pageSize=100&currentPageIndex=2', 'g', 100, 6, -2, false],
      ['?pageSize=2', 'ab', 2, 0, -2, true],
      ['?pageSize=0', 'abc', 0, 0, 7, false],
    ]
    for (const [query, titles, pageSize, offset, count, hasNext] of rows) {
      test(`gives no more than allowed: ${query || 'asked for nothing'} holds ${titles}`, async () => {
        const { body } = await server.as('Administrator').get(`/id/${folder.uid}/@children${query}`)
        assert.equal(titlesOf(body).join(''), titles)
        assert.deepEqual(
          [body.pageSize, body.maxPageSize, body.currentPageOffset, body.resultsCount, body.isNextPageAvailable],
          [pageSize, 3, offset, count, hasNext],
        )
      })
    }
  },
  { settings: { pageProviderDefaultMaxPageSize: 3 } },
)
