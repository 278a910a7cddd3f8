import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertRefused } from '../support/sent-documents.ts'
import { createGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

const labels: { readonly [name: string]: string } = {
  alpha: 'First letter',
  Beta: 'second letter',
  gamma: 'Third Letter',
  'per%cent': 'Percent',
  under_score: 'Underscore',
  underXscore: 'No score',
  école: 'École',
}

onEachServer('searching groups', (server) => {
  const search = (query: string) => server.as('ann').get(`/group/search?${query}`)
  const found = async (query: string) => (await search(query)).body.entries.map(({ id }: { id: string }) => id)

  before(async () => {
    await server.addUser('ann')
    for (const [name, grouplabel] of Object.entries(labels)) await createGroup(server.as('Administrator'), name, { grouplabel })
  })

  test('finds nothing without a term', async () => {
    for (const query of ['', 'q=', 'q=%20%20']) {
      const { status, body } = await search(query)
      assert.deepEqual([status, body.resultsCount, body.entries], [200, 0, []])
    }
  })

  test('finds all with a star, by name whatever the case', async () => {
    const expected = [
      'administrators',
      'alpha',
      'Beta',
      'gamma',
      'members',
      'per%cent',
      'powerusers',
      'under_score',
      'underXscore',
      'école',
    ]
    assert.deepEqual(await found('q=*'), expected)
    assert.deepEqual(await found('q=%20*%20'), expected)
  })

  const terms: readonly [query: string, names: readonly string[]][] = [
    ['q=alp', ['alpha']],
    ['q=ALP', ['alpha']],
    ['q=be', ['Beta']],
    ['q=%20gam%20', ['gamma']],
    ['q=lpha', []],
    ['q=letter', []],
    ['q=sec', ['Beta']],
    ['q=third%20l', ['gamma']],
    ['q=%C3%89CO', ['école']],
    ['q=eco', []],
    ['q=nothing', []],
    ['q=pe', ['per%cent']],
    ["q='", []],
    ['q=\\', []],
    ['q=[a]', []],
    ['q=**', []],
  ]
  for (const [query, names] of terms) {
    test(`finds ${names.join() || 'none'} for ${query}: what begins a name or label, in any case`, async () => {
      assert.deepEqual(await found(query), names)
    })
  }

  test('lets % and _ stand for other characters', async () => {
    assert.deepEqual(await found('q=%25letter'), ['alpha', 'Beta', 'gamma'])
    assert.deepEqual(await found('q=under_score'), ['under_score', 'underXscore'])
    assert.deepEqual(await found('q=_lpha'), ['alpha'])
  })

  test('takes a backslash for itself', async () => {
    await createGroup(server.as('Administrator'), 'back\\slash')
    assert.deepEqual(await found('q=back%5Cs'), ['back\\slash'])
    await server.as('Administrator').delete('/group/back%5Cslash')
  })

  test('shows groups as they are read, with what is fetched', async () => {
    const { body, headers } = await search('q=alpha&fetch.group=memberUsers')
    assert.equal(headers.get('content-type'), 'application/json; platform-entity=groups')
    const { body: alone } = await server.as('ann').get('/group/alpha?fetch.group=memberUsers')
    assert.deepEqual(body.entries, [alone])
  })

  test('tells all about the page', async () => {
    const { entries, ...page } = (await search('q=*&pageSize=4&currentPageIndex=1')).body
    assert.deepEqual(page, {
      'entity-type': 'groups',
      isPaginable: true,
      resultsCount: 10,
      pageSize: 4,
      maxPageSize: 1000,
      resultsCountLimit: 0,
      currentPageSize: 4,
      currentPageIndex: 1,
      currentPageOffset: 4,
      numberOfPages: 3,
      isPreviousPageAvailable: true,
      isNextPageAvailable: true,
      isLastPageAvailable: true,
      isSortable: false,
      hasError: false,
      errorMessage: null,
      pageIndex: 1,
      pageCount: 3,
    })
    assert.deepEqual(
      entries.map(({ id }: { id: string }) => id),
      ['members', 'per%cent', 'powerusers', 'under_score'],
    )
  })

  test('goes by pages: the size, its older names, all, an offset, and past the end', async () => {
    assert.deepEqual(await found('q=*&pageSize=1'), ['administrators'])
    assert.deepEqual(await found('q=*&pagesize=1&page=2'), ['Beta'])
    assert.deepEqual(await found('q=*&pageSize=2&offset=3'), ['gamma', 'members'])
    for (const size of [0, -1, 50, 5000]) assert.equal((await found(`q=*&pageSize=${size}`)).length, 10)
    for (const index of [7, 9007199254740991]) {
      const { status, body } = await search(`q=*&pageSize=4&currentPageIndex=${index}`)
      assert.deepEqual([status, body.entries, body.resultsCount], [200, [], 10])
    }
    assert.equal((await search('q=*')).body.pageSize, 50)
  })

  test('refuses a page that is no number', async () => {
    for (const parameter of ['pageSize', 'currentPageIndex', 'offset']) {
      for (const text of ['x', '1.5', '1e3', '9'.repeat(30)]) {
        assertRefused(await search(`q=*&${parameter}=${text}`), 400, `Invalid parameter: ${parameter}`)
      }
    }
  })

  test('is also done at the address of all groups', async () => {
    const { body } = await server.as('ann').get('/group?q=al')
    assert.deepEqual(
      body.entries.map(({ id }: { id: string }) => id),
      ['alpha'],
    )
    assert.deepEqual((await server.as('ann').get('/group')).body.entries, [])
  })

  test('follows a changed label at once', async () => {
    const admin = server.as('Administrator')
    await admin.put('/group/gamma', { 'entity-type': 'group', grouplabel: 'Renamed' })
    assert.deepEqual(await found('q=third'), [])
    assert.deepEqual(await found('q=renamed'), ['gamma'])
    await admin.put('/group/gamma', { 'entity-type': 'group', grouplabel: labels['gamma'] })
  })
})

onEachServer(
  'searching groups without wildcards',
  (server) => {
    test('takes % and _ for themselves', async () => {
      const admin = server.as('Administrator')
      for (const [name, grouplabel] of Object.entries(labels)) await createGroup(admin, name, { grouplabel })
      const found = async (term: string) =>
        (await admin.get(`/group/search?q=${encodeURIComponent(term)}`)).body.entries.map(({ id }: { id: string }) => id)
      assert.deepEqual(await found('under_'), ['under_score'])
      assert.deepEqual(await found('per%'), ['per%cent'])
      assert.deepEqual(await found('%letter'), [])
      assert.deepEqual((await found('*')).length, 10)
    })
  },
  { settings: { usermanagerSearchEscapeCompat: false } },
)
