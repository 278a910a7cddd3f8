import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { groupMembers, subGroups } from '../../src/core/directories/people.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { createGroup } from '../support/sent-groups.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('members of a group', (server) => {
  const list = (path: string) => server.as('ann').get(path)
  const idsIn = ({ body }: { body: { entries: readonly { id: string }[] } }) => body.entries.map(({ id }) => id)

  before(async () => {
    const admin = server.as('Administrator')
    for (const name of ['ann', 'zoe', 'Bob', 'bea']) await server.addUser(name)
    for (const name of ['z-team', 'A-team', 'a-side']) await createGroup(admin, name, { memberUsers: ['ann'] })
    await createGroup(admin, 'crew', {
      memberUsers: ['zoe', 'gone', 'Bob', 'ann', 'bea'],
      memberGroups: ['z-team', 'vanished', 'A-team', 'a-side'],
    })
  })

  test('are users in the order of the group, without those that are gone', async () => {
    const answer = await list('/group/crew/@users')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=users')
    assert.deepEqual(idsIn(answer), ['zoe', 'Bob', 'ann', 'bea'])
    assert.deepEqual(answer.body.entries[0], (await list('/user/zoe')).body)
  })

  test('are groups in the order of the group, without those that are gone', async () => {
    const answer = await list('/group/crew/@groups?fetch.group=memberUsers')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'application/json; platform-entity=groups')
    assert.deepEqual(idsIn(answer), ['z-team', 'A-team', 'a-side'])
    assert.deepEqual(answer.body.entries[0], (await list('/group/z-team?fetch.group=memberUsers')).body)
  })

  test('are counted with those that are gone, which the page is shorter by', async () => {
    const { entries, ...page } = (await list('/group/crew/@users?pageSize=2')).body
    assert.deepEqual(entries.length, 1)
    assert.deepEqual(page, {
      'entity-type': 'users',
      isPaginable: true,
      resultsCount: 5,
      pageSize: 2,
      maxPageSize: 1000,
      resultsCountLimit: 0,
      currentPageSize: 1,
      currentPageIndex: 0,
      currentPageOffset: 0,
      numberOfPages: 3,
      isPreviousPageAvailable: false,
      isNextPageAvailable: true,
      isLastPageAvailable: true,
      isSortable: false,
      hasError: false,
      errorMessage: null,
      pageIndex: 0,
      pageCount: 3,
    })
    assert.equal((await list('/group/crew/@groups')).body.resultsCount, 4)
  })

  test('are filtered by the beginning of their names in any case, whatever else is known of them', async () => {
    assert.deepEqual(idsIn(await list('/group/crew/@users?q=B')), ['Bob', 'bea'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?q=bo')), ['Bob'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?q=ob')), [])
    assert.deepEqual(idsIn(await list('/group/crew/@groups?q=a-')), ['A-team', 'a-side'])
    const gone = (await list('/group/crew/@users?q=go')).body
    assert.deepEqual([gone.resultsCount, gone.entries], [1, []])
    for (const query of ['q=', 'q=*', 'q=%20']) assert.equal((await list(`/group/crew/@users?${query}`)).body.resultsCount, 5)
  })

  test('are filtered by signs of patterns as by any other', async () => {
    for (const sign of ['%25', '_', '%5C', "'", '%2A%2A', '%00', '%5Ba']) {
      const { status, body } = await list(`/group/crew/@users?q=${sign}`)
      assert.deepEqual([status, body.resultsCount], [200, 0], sign)
    }
  })

  test('go by pages, also with a filter, and past the end', async () => {
    assert.deepEqual(idsIn(await list('/group/crew/@users?pageSize=2&currentPageIndex=1')), ['Bob', 'ann'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?pagesize=2&page=2')), ['bea'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?q=b&pageSize=1&currentPageIndex=1')), ['bea'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?offset=3')), ['ann', 'bea'])
    assert.deepEqual(idsIn(await list('/group/crew/@users?pageSize=0')), ['zoe', 'Bob', 'ann', 'bea'])
    for (const index of [3, 9007199254740991]) {
      const { status, body } = await list(`/group/crew/@users?pageSize=2&currentPageIndex=${index}`)
      assert.deepEqual([status, body.entries, body.resultsCount, body.isNextPageAvailable], [200, [], 5, false])
    }
  })

  test('are refused for a page that is no number', async () => {
    assertRefused(await list('/group/crew/@users?pageSize=many'), 400, 'Invalid parameter: pageSize')
    assertRefused(await list('/group/crew/@groups?currentPageIndex=1.5'), 400, 'Invalid parameter: currentPageIndex')
  })

  test('are only those that the group itself lists', async () => {
    await createGroup(server.as('Administrator'), 'umbrella', { memberGroups: ['crew'] })
    assert.equal((await list('/group/umbrella/@users')).body.resultsCount, 0)
    assert.deepEqual(idsIn(await list('/group/umbrella/@groups')), ['crew'])
  })

  test('of an unknown group are not found', async () => {
    assertRefused(await list('/group/nobody/@users'), 404, 'group does not exist')
    assertRefused(await list('/group/nobody/@groups'), 404, 'group does not exist')
    assertRefused(await list('/group/@users'), 404, 'group does not exist')
  })

  test('are the same whatever repository the address names', async () => {
    assert.equal((await list('/repo/default/group/crew/@users')).body.resultsCount, 5)
  })

  test('of a group of 100,000 are a page like any other, and one more costs one row', async () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `u${String(index).padStart(6, '0')}`)
    await createGroup(server.as('Administrator'), 'masses')
    await server.asSystem(({ tx }) => tx.directories.replaceTargets(groupMembers, 'masses', names))
    await server.asSystem(({ tx }) => tx.directories.replaceTargets(subGroups, 'masses', ['crew']))
    const page = (await list('/group/masses/@users?pageSize=3&currentPageIndex=20000')).body
    assert.deepEqual([page.resultsCount, page.entries, page.isNextPageAvailable], [100_000, [], true])
    assert.equal((await list('/group/masses/@users?q=u09999')).body.resultsCount, 10)
    const { status } = await server.as('Administrator').post('/group/masses/user/zoe')
    assert.equal(status, 201)
    const last = (await list('/group/masses/@users?pageSize=10&offset=99995')).body
    assert.deepEqual([last.resultsCount, idsIn({ body: last })], [100_001, ['zoe']])
    assert.equal((await server.as('Administrator').delete('/group/masses/user/zoe')).status, 200)
    assert.equal((await list('/group/masses/@users?pageSize=1')).body.resultsCount, 100_000)
  })
})
