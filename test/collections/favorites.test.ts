import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { type Role, refusalsOf, uidsOf } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'
import { collectionBenchOn } from './collection-bench.ts'

onEachServer('7.2 favorites', (server) => {
  const bench = collectionBenchOn(server)
  const like = (input: unknown, as: Role) => bench.run('Document.AddToFavorites', input, {}, { as })
  const isFavorite = async (uid: string, as: Role) => (await bench.enriched(uid, 'favorites', as)).isFavorite
  const favorites = (as: Role) => bench.run('Favorite.Fetch', undefined, {}, { as })

  test('Favorite.Fetch gives the collection of the caller alone, the same each time', async () => {
    const [mine, again] = await Promise.all([favorites('writer'), favorites('writer')])
    assert.deepEqual([mine.uid, mine.type, mine.title], [again.uid, 'Favorites', 'My Favorites'])
    assert.match(mine.path, /\/UserWorkspaces\/writer\/Favorites$/)
    assert.notEqual((await favorites('reader')).uid, mine.uid)
    assert.equal((await server.as('reader').get(`/id/${mine.uid}`)).status, 403)
    const { acls } = await bench.row(mine.uid)
    assert.deepEqual(
      acls.flatMap(({ aces }) => aces).map(({ username, permission, granted }) => [username, permission, granted]),
      [
        ['writer', 'Everything', true],
        ['Everyone', 'Everything', false],
      ],
    )
  })
  test('Document.AddToFavorites makes a favorite of the caller, and of nobody else', async () => {
    const file = await bench.file()
    assert.equal((await like(file, 'reader')).uid, file)
    assert.deepEqual([await isFavorite(file, 'reader'), await isFavorite(file, 'writer')], [true, false])
  })
  test('Document.RemoveFromFavorites takes it back, under its alias too', async () => {
    const files = [await bench.file(), await bench.file()]
    assert.deepEqual(uidsOf(await like(files, 'reader')), files)
    await bench.run('Document.RemoveFromFavorites', files[0], {}, { as: 'reader' })
    assert.deepEqual([await isFavorite(files[0] ?? '', 'reader'), await isFavorite(files[1] ?? '', 'reader')], [false, true])
    await bench.run('Collection.RemoveFromFavorites', files, {}, { as: 'reader' })
    assert.equal(await isFavorite(files[1] ?? '', 'reader'), false)
  })
  test('Favorite.GetDocuments lists what the caller still can read', async () => {
    const [b, a, hidden] = [await bench.file('b'), await bench.file('a'), await bench.file('c')]
    await bench.run('Collection.AddToFavorites', [b, a, hidden], {}, { as: 'owner' })
    await bench.restrict(hidden)
    for (const operation of ['Favorite.GetDocuments', 'Collection.GetElementsInFavorite']) {
      const got = await bench.run(operation, bench.shared.uid, {}, { as: 'owner' })
      assert.deepEqual([uidsOf(got), got.resultsCount], [[a, b], 2])
    }
    assert.deepEqual(await bench.page('user_favorites', (await favorites('owner')).uid, 'owner'), [a, b])
  })
  test('are no favorites of anybody once they are copied', async () => {
    const file = await bench.file()
    await like(file, 'writer')
    const copy = await bench.run('Document.Copy', file, { target: bench.shared.path }, { as: 'writer' })
    assert.equal(await isFavorite(copy.uid, 'writer'), false)
  })
  test('one document is the favorite of many who like it at once', async () => {
    const file = await bench.file()
    const roles: readonly Role[] = ['owner', 'writer', 'reader', 'Administrator']
    await Promise.all(roles.map((role) => like(file, role)))
    assert.equal((await bench.memberships(file)).length, roles.length)
  })
  test('the enricher makes none, and writes nothing', async () => {
    const file = await bench.file()
    assert.equal(await isFavorite(file, 'stranger' as Role).catch(() => 'unreadable'), 'unreadable')
    await bench.setAcls(file, [{ name: 'local', aces: [] }])
    const { changeToken } = await bench.read(file)
    assert.equal(await isFavorite(file, 'reader'), false)
    assert.equal((await bench.read(file)).changeToken, changeToken)
  })
  describe('are refused', () => {
    refusalsOf(bench, 'Document.AddToFavorites', {
      'for what the caller cannot read': async () => {
        const file = await bench.file()
        await bench.restrict(file)
        return { as: 'reader', input: file, status: 403, message: /Privilege 'Read' is not granted to 'reader'/ }
      },
      'for a collection': async () => ({
        as: 'reader',
        input: await bench.collection(),
        status: 400,
        message: /is not collectable/,
      }),
    })
  })
})

onEachServer('7.2 what is kept for a user alone in the personal workspace', (server) => {
  const bench = collectionBenchOn(server)
  const fetch = { Favorites: 'Favorite.Fetch', Collections: 'Collection.Create' } as const
  const kept = async (place: keyof typeof fetch, as: Role): Promise<Answered> => {
    const made = await bench.run(fetch[place], undefined, place === 'Collections' ? { name: 'mine' } : {}, { as })
    return bench.read(place === 'Collections' ? (await bench.read(made.uid)).parentRef : made.uid)
  }
  /** The workspace of the writer, who lets the reader write in it. */
  const shared = async (): Promise<Answered> => {
    const workspace = await bench.run('User.GetUserWorkspace', undefined, {}, { as: 'writer' })
    const rights = [grant('writer', 'Everything'), grant('reader', 'ReadWrite')]
    await bench.setAcls(workspace.uid, [{ name: 'local', aces: rights }])
    return workspace
  }
  const plant = async (type: string, name: string, as = 'reader') => {
    const { uid } = await shared()
    return server.as(as).post(`/id/${uid}`, { 'entity-type': 'document', type, name, properties: {} })
  }
  const clear = async () => {
    const { uid } = await shared()
    const children = await server.asSystem(({ tx }) => tx.documents.listChildIds(uid))
    for (const child of children) requireStatus(204, await server.as('Administrator').delete(`/id/${child}`))
  }
  const statusesFor = async (as: string, uid: string) => {
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'theirs' } }
    return [(await server.as(as).get(`/id/${uid}`)).status, (await server.as(as).put(`/id/${uid}`, change)).status]
  }

  for (const place of ['Favorites', 'Collections'] as const) {
    test(`${place}: who may write there cannot make it beforehand, nor bring an own one there`, async () => {
      await clear()
      const { uid: workspace } = await shared()
      const own = await kept(place, 'reader')
      assert.equal((await plant(place, place)).status, 403)
      for (const operation of ['Document.Copy', 'Document.Move']) {
        const refused = await bench.call(operation, own.uid, { target: workspace, name: place }, { as: 'reader' })
        assert.equal(refused.status, 403, refused.text)
      }
      const { uid, path } = await kept(place, 'writer')
      assert.match(path, new RegExp(`/writer/${place}$`))
      assert.deepEqual(await statusesFor('reader', uid), [403, 403])
    })
    for (const [what, type] of [
      ['a document of another type', 'Folder'],
      ['one of the type without the rights of the user', place],
    ] as const)
      test(`${place}: ${what} that has the name is not taken for it`, async () => {
        await clear()
        const planted = requireStatus(201, await plant(type, place, 'Administrator'))
        const { uid, type: found } = await kept(place, 'writer')
        assert.notEqual(uid, planted.uid)
        assert.deepEqual([found, await statusesFor('reader', uid)], [place, [403, 403]])
        assert.equal((await kept(place, 'writer')).uid, uid)
        requireStatus(204, await server.as('Administrator').delete(`/id/${planted.uid}`))
        assert.equal((await kept(place, 'writer')).uid, uid, 'although the name is free now')
      })
    test(`${place}: it stays the same when the user shares it or gives it another name`, async () => {
      await clear()
      const { uid } = await kept(place, 'writer')
      await bench.run('Document.AddPermission', uid, { users: ['reader'], permission: 'Read' }, { as: 'writer' })
      const { parentRef } = await bench.read(uid)
      await bench.run('Document.Move', uid, { target: parentRef, name: 'renamed' }, { as: 'writer' })
      assert.equal((await kept(place, 'writer')).uid, uid)
    })
  }

  test('what the user likes is a favorite although the name was taken', async () => {
    await clear()
    requireStatus(201, await plant('File', 'Favorites'))
    const file = await bench.file()
    await bench.run('Document.AddToFavorites', file, {}, { as: 'writer' })
    assert.deepEqual(await bench.enriched(file, 'favorites', 'writer'), { isFavorite: true })
  })
})
