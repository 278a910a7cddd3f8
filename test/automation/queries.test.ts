import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { titlesOf } from '../search/search-bench.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const titles = ['alpha', 'beta', 'delta', 'epsilon', 'gamma']

onEachServer('2.4 Repository.Query', (server) => {
  const bench = workbenchOn(server)
  let folder: Answered
  let below: string
  before(async () => {
    await server.addUser('bob', ['members'])
    folder = await bench.create('Folder')
    below = `SELECT * FROM File WHERE ecm:parentId = '${folder.uid}'`
    for (const title of titles) {
      await bench.create('File', { 'dc:title': title, 'dc:source': `${title}'s` }, { parent: folder.path })
    }
    const hidden = await bench.create('File', { 'dc:title': 'hidden', 'dc:source': 'secret' }, { parent: folder.path })
    await bench.restrict(hidden.uid)
  })
  const call = (params: object, user = 'bob') => operationsOn(server, user)('Repository.Query', { params })
  const query = async (params: object = {}, user?: string) =>
    requireStatus(200, await call({ query: `${below} ORDER BY dc:title`, ...params }, user))
  const found = async (params: object) => titlesOf(await query(params))

  test('gives the documents that the caller may browse', async () => {
    const list = await query()
    assert.equal(list['entity-type'], 'documents')
    assert.deepEqual(titlesOf(list), titles)
    assert.deepEqual(titlesOf(await query({}, 'Administrator')), [...titles, 'hidden'])
  })
  test('answers under its alias, too', async () => {
    const body = { params: { query: `${below} ORDER BY dc:title` } }
    assert.deepEqual(titlesOf(requireStatus(200, await operationsOn(server, 'bob')('Document.Query', body))), titles)
  })
  test('finds all documents without a query, on one page as long as is allowed', async () => {
    const all = requireStatus(200, await call({}))
    assert.ok(all.resultsCount > titles.length)
    assert.deepEqual([all.pageSize, all.maxPageSize, all.numberOfPages], [0, 1000, 1])
    assert.equal(requireStatus(200, await call({ query: ' ' })).resultsCount, all.resultsCount)
  })
  test('takes any input and does not look at it', async () => {
    const body = { input: folder.uid, params: { query: `${below} ORDER BY dc:title` } }
    assert.deepEqual(titlesOf(requireStatus(200, await operationsOn(server, 'bob')('Repository.Query', body))), titles)
  })

  describe('pages', () => {
    test('acceptance 18: of two, with all that is known of them', async () => {
      const first = await query({ pageSize: 2 })
      assert.deepEqual(titlesOf(first), ['alpha', 'beta'])
      const { currentPageSize, numberOfPages, resultsCount, isNextPageAvailable } = first
      assert.deepEqual([currentPageSize, numberOfPages, resultsCount, isNextPageAvailable], [2, 3, 5, true])
    })
    test('are counted from 0, by either name, as numbers or texts', async () => {
      const last = await query({ pageSize: '2', currentPageIndex: '2' })
      assert.deepEqual([titlesOf(last), last.currentPageIndex], [['gamma'], 2])
      assert.deepEqual(await found({ pageSize: 2, page: 1 }), ['delta', 'epsilon'])
    })
    test('are counted up to maxResults; beyond it the count is unknown', async () => {
      assert.equal((await query({ maxResults: 3, pageSize: 2 })).resultsCount, -2)
      assert.equal((await query({ maxResults: 5, pageSize: 2 })).resultsCount, 5)
      assert.equal((await query({ maxResults: -1, pageSize: 2 })).resultsCount, 5)
      assert.equal((await query({ maxResults: 2 })).entries.length, 5, 'the page itself is not cut')
    })
  })

  describe('order', () => {
    test('is that of sortBy and sortOrder, whatever the query says', async () => {
      assert.deepEqual(await found({ sortBy: 'dc:title', sortOrder: 'DESC' }), titles.toReversed())
      assert.deepEqual(await found({ sortBy: ['dc:title'], sortOrder: ['asc'] }), titles)
      assert.deepEqual(await found({ query: below, sortBy: 'ecm:primaryType,dc:title', sortOrder: 'desc,ASC' }), titles)
    })
    test('descends where sortOrder is missing or anything else', async () => {
      assert.deepEqual(await found({ sortBy: 'dc:title' }), titles.toReversed())
      assert.deepEqual(await found({ sortBy: 'dc:title', sortOrder: 'up' }), titles.toReversed())
    })
  })

  describe('parameters', () => {
    const bySource = () => `${below} AND dc:source = ?`

    test('fill each ? in turn, quoted and escaped', async () => {
      assert.deepEqual(await found({ query: bySource(), queryParams: ["beta's"] }), ['beta'])
      const either = `${below} AND (dc:title = ? OR dc:source = ?) ORDER BY dc:title`
      assert.deepEqual(await found({ query: either, queryParams: "alpha,gamma's" }), ['alpha', 'gamma'])
      assert.deepEqual(await found({ query: bySource(), queryParams: ["' OR ecm:uuid <> '"] }), [])
    })
    test('come under the name searchTerm, too', async () => {
      assert.deepEqual(await found({ query: bySource(), searchTerm: "beta's" }), ['beta'])
    })
    test('may be filled in without quotes', async () => {
      const starting = `${below} AND dc:title LIKE '?%'`
      assert.deepEqual(await found({ query: starting, queryParams: 'del', quotePatternParameters: false }), ['delta'])
    })
    test('may be filled in without being escaped', async () => {
      const params = { query: `${below} AND dc:title = ?`, queryParams: ["x' OR dc:title = 'beta"] }
      assert.deepEqual(await found({ ...params, escapePatternParameters: false }), ['beta'])
      assert.deepEqual(await found(params), [])
    })
    test('stand for who asks and where', async () => {
      const byOther = `${below} AND dc:creator = ? ORDER BY dc:title`
      assert.deepEqual(await found({ query: byOther, queryParams: ['$currentUser'] }), [])
      assert.deepEqual(
        titlesOf(requireStatus(200, await call({ query: byOther, queryParams: '$currentUser' }, 'Administrator'))),
        [...titles, 'hidden'],
      )
      const { uid } = await bench.create('File', { 'dc:source': 'default' })
      const fromHere = { query: 'SELECT * FROM File WHERE dc:source = ?', queryParams: ['$currentRepository'] }
      assert.deepEqual(
        (await query(fromHere)).entries.map((entry: Answered) => entry.uid),
        [uid],
      )
    })
    test('fill what has a name, as text, JSON or a list', async () => {
      const named = `${below} AND dc:title = :wanted`
      assert.deepEqual(await found({ query: named, namedParameters: 'wanted=beta' }), ['beta'])
      assert.deepEqual(await found({ query: named, namedParameters: { wanted: 'beta', other: null } }), ['beta'])
      const among = `${below} AND dc:title IN :wanted ORDER BY dc:title`
      assert.deepEqual(await found({ query: among, namedParameters: { wanted: ['beta', 'gamma'] } }), ['beta', 'gamma'])
    })
    test('that are texts stay texts, also where they read like a list', async () => {
      const { uid } = await bench.create('File', { 'dc:title': '["beta"]' })
      const named = { query: 'SELECT * FROM File WHERE dc:title = :wanted', namedParameters: { wanted: '["beta"]' } }
      assert.deepEqual(
        (await query(named)).entries.map((entry: Answered) => entry.uid),
        [uid],
      )
    })
  })

  describe('refuses', () => {
    const rows: [what: string, params: object, message: RegExp][] = [
      ['what is no query', { query: 'SELECT' }, /Failed to execute query: SELECT, /],
      ['an unknown property', { query: "SELECT * FROM File WHERE no:such = 'x'" }, /no:such/],
      ['a place that nothing fills', { query: 'SELECT * FROM File WHERE dc:title = ?' }, /Illegal character <\?> at offset 36/],
      ['a name that nothing fills', { query: 'SELECT * FROM File WHERE dc:title = :no' }, /Illegal character <:> at offset 36/],
      ['more parameters than places', { query: 'SELECT * FROM File', queryParams: ['a'] }, /has 0 place\(s\)/],
      ['another language', { query: 'SELECT * FROM File', language: 'CMIS' }, /invalid query language$/],
      ['a size that is no number', { pageSize: 'many' }, /'pageSize' must be of type integer/],
      ['a column that is none', { sortBy: 'dc:title; DROP', sortOrder: 'ASC' }, /dc:title; DROP/],
    ]
    for (const [what, params, message] of rows) {
      test(what, async () => assertRefused(await call(params), 400, message))
    }
  })
})

onEachServer('2.4 passing on', (server) => {
  const bench = workbenchOn(server)
  const call = operationsOn(server)

  test('Context.FetchDocument gives the document or the documents that it is given', async () => {
    const [one, other] = [await bench.create('File'), await bench.create('Note')]
    assert.equal(requireStatus(200, await call('Context.FetchDocument', { input: one.path })).uid, one.uid)
    const { entries } = requireStatus(200, await call('Context.FetchDocument', { input: `docs:${one.uid},${other.path}` }))
    assert.deepEqual(
      entries.map(({ uid }: Answered) => uid),
      [one.uid, other.uid],
    )
  })
  test('Context.FetchDocument refuses what is no document', async () => {
    assertRefused(await call('Context.FetchDocument'), 400, /no method found for operation 'Context.FetchDocument'/)
    assertRefused(await call('Context.FetchDocument', { input: '/nowhere' }), 404, /\/nowhere$/)
  })
  test('Context.FetchDocument refuses whoever may not read it', async () => {
    await server.addUser('bob', ['members'])
    const { uid } = await bench.create('File')
    await bench.restrict(uid)
    assertRefused(await operationsOn(server, 'bob')('Context.FetchDocument', { input: uid }), 403, /'Read'/)
  })
  test('Context.FetchFile gives the file that it is given', async () => {
    const input = { data: 'some words', name: 'words.txt', 'mime-type': 'text/plain' }
    const answer = await call('Context.FetchFile', { input })
    assert.deepEqual([answer.status, answer.text], [200, 'some words'])
    assert.match(answer.headers.get('content-disposition') ?? '', /words\.txt/)
  })
  test('Context.FetchFile gives each file of a list', async () => {
    const file = (data: string) => ({ data, name: `${data}.txt`, 'mime-type': 'text/plain' })
    const answer = await call('Context.FetchFile', { input: [file('one'), file('two')] })
    assert.equal(answer.status, 200, answer.text)
    assert.match(answer.headers.get('content-type') ?? '', /^multipart\/mixed/)
    assert.match(answer.text, /one\.txt[\s\S]*two\.txt/)
  })
  test('Context.FetchFile refuses what is no file', async () => {
    assertRefused(await call('Context.FetchFile'), 400, /no method found for operation 'Context.FetchFile'/)
  })

  describe('acceptance 4: Document.FetchByProperty', () => {
    const fetch = (params: object) => call('Document.FetchByProperty', { params: { property: 'dc:source', ...params } })

    test('finds by one value as a plain text', async () => {
      const { uid } = await bench.create('File', { 'dc:source': 'the very one' })
      await bench.create('File', { 'dc:source': 'another' })
      const { entries } = requireStatus(200, await fetch({ values: 'the very one' }))
      assert.deepEqual(
        entries.map((entry: Answered) => entry.uid),
        [uid],
      )
    })
    test('is refused without values', async () => {
      assertRefused(await fetch({}), 400, /Failed to inject parameter 'values'/)
    })
  })
})
