import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ApiAnswer, TestServer } from '../../src/testing.ts'
import { assertRefused, aUser } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'

const people = [
  ['foouser', 'Foo', 'User'],
  ['user0', 'Ana', 'Rivera'],
  ['user1', 'Ben', 'Riverside'],
  ['user2', 'Cleo', 'Anatol'],
  ['Zoë', 'Émile', '100%'],
  ['under_score', 'X', 'Y'],
] as const

async function addPeople(server: TestServer): Promise<void> {
  for (const [name, firstName, lastName] of people) {
    const { status, text } = await server.as('Administrator').post('/user', aUser(name, { firstName, lastName }))
    assert.equal(status, 201, text)
  }
}

const idsIn = ({ body }: ApiAnswer): readonly string[] => body.entries.map(({ id }: { id: string }) => id)

onEachServer('a search for users', (server) => {
  const search = (query: string) => server.as('Administrator').get(`/user/search${query}`)
  const found = async (term: string) => idsIn(await search(`?q=${encodeURIComponent(term)}`))
  before(() => addPeople(server))

  test('3.1 answers whole users with all that is told of a page', async () => {
    const { status, body } = await search('?q=river')
    assert.equal(status, 200)
    const { entries, ...page } = body
    assert.deepEqual(page, {
      'entity-type': 'users',
      isPaginable: true,
      resultsCount: 2,
      pageSize: 50,
      maxPageSize: 1000,
      resultsCountLimit: 0,
      currentPageSize: 2,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 1,
      isPreviousPageAvailable: false,
      isNextPageAvailable: false,
      isLastPageAvailable: false,
      isSortable: false,
      hasError: false,
      errorMessage: null,
      pageIndex: 0,
      pageCount: 1,
    })
    assert.deepEqual(entries[0], (await server.as('Administrator').get('/user/user0')).body)
    assert.equal(entries.length, 2)
  })

  test('3.1 may be made by every user, and by nobody without credentials', async () => {
    await server.addUser('someone')
    const answer = await server.as('someone').get('/user/search?q=user0')
    assert.deepEqual(idsIn(answer), ['user0'])
    await server.as('Administrator').delete('/user/someone')
    assert.equal(
      (await server.as('someone').call('GET', 'api/v1/user/search?q=*', { headers: { authorization: '' } })).status,
      401,
    )
  })

  describe('finds', () => {
    const rows: readonly [rule: string, term: string, names: readonly string[]][] = [
      ['by the beginning of the user name', 'user', ['foouser', 'user0', 'user1', 'user2']],
      ['by the beginning of the first name', 'ben', ['user1']],
      ['by the beginning of the last name', 'river', ['user0', 'user1']],
      ['by any of the three', 'ana', ['user0', 'user2']],
      ['in any case', 'ANA', ['user0', 'user2']],
      ['in any case beyond ASCII', 'éMI', ['Zoë']],
      ['with blanks around the term', '  ana  ', ['user0', 'user2']],
      ['nothing in the middle of a name', 'ser0', []],
      ['nothing by the company or the address', 'administrators', []],
      ['nobody for no term', '', []],
      ['nobody for a blank term', '   ', []],
      ['nobody who is not there', 'nosuch', []],
      ['all for a star', '*', ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë']],
      [
        'all for a star with blanks around it',
        ' * ',
        ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë'],
      ],
      ['what a percent sign stands for', '%ser0', ['user0']],
      ['what a percent sign stands for, also at the end', 'u%1', ['user1']],
      ['what an underscore stands for', 'u_er', ['foouser', 'user0', 'user1', 'user2']],
      ['a percent sign itself behind a backslash', '100\\%', ['Zoë']],
    ]
    for (const [rule, term, names] of rows) test(`3.1 ${rule}`, async () => assert.deepEqual(await found(term), names))

    test('3.1 nobody without a term', async () => {
      const { body } = await search('')
      assert.deepEqual([body.entries, body.resultsCount, body.hasError], [[], 0, false])
    })

    test('3.1 as GET /user does', async () => {
      assert.deepEqual((await server.as('Administrator').get('/user?q=ana')).body, (await search('?q=ana')).body)
      assert.equal((await server.as('Administrator').get('/user')).body.resultsCount, 0)
    })

    test('3.1 by what a user is called now', async () => {
      await server.as('Administrator').put('/user/user2', { 'entity-type': 'user', properties: { lastName: 'Quill' } })
      assert.deepEqual(await found('quill'), ['user2'])
      assert.deepEqual(await found('anatol'), [])
      await server.as('Administrator').put('/user/user2', { 'entity-type': 'user', properties: { lastName: 'Anatol' } })
    })
  })

  describe('gives pages', () => {
    const rows: readonly [query: string, names: readonly string[], page: object][] = [
      [
        'pageSize=2',
        ['Administrator', 'foouser'],
        { pageSize: 2, currentPageIndex: 0, numberOfPages: 4, isNextPageAvailable: true },
      ],
      [
        'pageSize=2&currentPageIndex=1',
        ['under_score', 'user0'],
        { currentPageIndex: 1, currentPageOffset: 2, isPreviousPageAvailable: true },
      ],
      ['pageSize=2&page=1', ['under_score', 'user0'], { currentPageIndex: 1 }],
      ['pageSize=3&currentPageIndex=2', ['Zoë'], { currentPageSize: 1, isNextPageAvailable: false }],
      ['pageSize=2&currentPageIndex=9', [], { currentPageSize: 0, currentPageIndex: 9, resultsCount: 7 }],
      ['pageSize=2&offset=3', ['user0', 'user1'], { currentPageOffset: 3 }],
      ['pageSize=2&currentPageIndex=0&offset=3', ['user0', 'user1'], { currentPageOffset: 3 }],
      [
        'pageSize=0',
        ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë'],
        { pageSize: 0, numberOfPages: 1 },
      ],
      ['pageSize=-1', ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë'], { pageSize: 0 }],
      [
        'pageSize=2000&currentPageIndex=0',
        ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë'],
        { pageSize: 2000, maxPageSize: 1000 },
      ],
      [
        'pageSize=&currentPageIndex=',
        ['Administrator', 'foouser', 'under_score', 'user0', 'user1', 'user2', 'Zoë'],
        { pageSize: 50 },
      ],
    ]
    for (const [query, names, page] of rows) {
      test(`3.1 for ${query}`, async () => {
        const answer = await search(`?q=*&${query}`)
        assert.deepEqual(idsIn(answer), names)
        assert.deepEqual({ ...answer.body, ...page }, answer.body)
        assert.equal(answer.body.resultsCount, 7)
      })
    }

    test('3.1 only for numbers', async () => {
      for (const parameter of ['pageSize', 'currentPageIndex', 'offset']) {
        for (const text of ['x', '1.5', '1e3', '9007199254740993']) {
          assertRefused(await search(`?q=*&${parameter}=${text}`), 400, `Invalid parameter: ${parameter}`)
        }
      }
    })
  })
})

onEachServer(
  'a search for users that finds too many',
  (server) => {
    before(() => addPeople(server))
    before(() => server.addUser('reader', []))

    test('3.1 shows nobody and says so', async () => {
      const { status, body } = await server.as('Administrator').get('/user/search?q=*')
      assert.equal(status, 200)
      assert.deepEqual([body.entries, body.hasError, body.errorMessage], [[], true, 'label.security.searchOverFlow'])
      assert.deepEqual([body.resultsCount, body.numberOfPages, body.isNextPageAvailable], [-2, 0, false])
      const second = (await server.as('Administrator').get('/user/search?q=*&pageSize=1&currentPageIndex=1')).body
      assert.deepEqual([second.entries, second.hasError], [[], true])
    })

    test('3.1 shows administrators who ask for it a page of any number', async () => {
      const { status, body } = await server
        .as('Administrator')
        .get('/user/search?q=*&unlimited=true&pageSize=2&currentPageIndex=1')
      assert.deepEqual([status, body.resultsCount, body.entries.length, body.hasError], [200, 8, 2, false])
    })

    test('3.1 refuses others who ask for that, at the address and through the list of that name', async () => {
      for (const address of [
        '/user/search?q=*&unlimited=true',
        '/user?q=*&unlimited=true',
        '/search/pp/platform_principals_listing/execute?queryParams=*&queryParams=true',
      ])
        assert.equal((await server.as('reader').get(address)).status, 403, address)
    })

    test('3.1 finds those of a narrower term, up to the limit itself', async () => {
      const answer = await server.as('Administrator').get('/user/search?q=user')
      assert.deepEqual([idsIn(answer), answer.body.hasError], [['foouser', 'user0', 'user1', 'user2'], false])
    })
  },
  { settings: { userSearchLimit: 4 } },
)

onEachServer(
  'a search for users without a limit and without wildcards',
  (server) => {
    before(() => addPeople(server))

    test('3.1 finds all', async () => {
      const body = (await server.as('Administrator').get('/user/search?q=*')).body
      assert.deepEqual([body.resultsCount, body.hasError], [7, false])
    })

    test('3.1 takes % and _ for themselves', async () => {
      const found = async (term: string) =>
        idsIn(await server.as('Administrator').get(`/user/search?q=${encodeURIComponent(term)}`))
      assert.deepEqual(await found('%ser0'), [])
      assert.deepEqual(await found('u_er'), [])
      assert.deepEqual(await found('under_'), ['under_score'])
      assert.deepEqual(await found('100%'), ['Zoë'])
    })
  },
  { settings: { userSearchLimit: 0, usermanagerSearchEscapeCompat: false } },
)

onEachServer(
  'a search for users where somebody may be anonymous',
  (server) => {
    before(() => addPeople(server))
    const found = async (query: string) => idsIn(await server.as('Administrator').get(`/user/search?${query}`))

    test('3.1 finds the anonymous user at its place', async () => {
      assert.deepEqual(await found('q=*'), ['Administrator', 'foouser', 'Guest', 'under_score', 'user0', 'user1', 'user2', 'Zoë'])
      assert.deepEqual(await found('q=gue'), ['Guest'])
      assert.deepEqual(await found('q=%25est'), ['Guest'])
    })

    test('3.1 finds it by its first and last name, and not by others', async () => {
      assert.deepEqual(await found('q=user'), ['foouser', 'Guest', 'user0', 'user1', 'user2'])
      assert.deepEqual(await found('q=ana'), ['user0', 'user2'])
      assert.deepEqual(await found('q='), [])
    })

    test('3.1 puts it on one page and counts it', async () => {
      const pages: string[] = []
      for (let index = 0; index < 5; index++) {
        const answer = await server.as('Administrator').get(`/user/search?q=*&pageSize=2&currentPageIndex=${index}`)
        assert.equal(answer.body.resultsCount, 8)
        pages.push(idsIn(answer).join())
      }
      assert.deepEqual(pages, ['Administrator,foouser', 'Guest,under_score', 'user0,user1', 'user2,Zoë', ''])
    })
  },
  { settings: { userAnonymousEnable: true } },
)
