import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Role, refusalsOf, uidsOf } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'
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
  test('what somebody put in the place of the favorites is named', async () => {
    const workspace = await bench.run('User.GetUserWorkspace', undefined, {}, { as: 'stranger' })
    const body = { 'entity-type': 'document', type: 'File', name: 'Favorites', properties: {} }
    requireStatus(201, await server.as('stranger').post(`/id/${workspace.uid}`, body))
    const own = requireStatus(201, await server.as('stranger').post(`/id/${workspace.uid}`, { ...body, name: 'own' }))
    const refused = await bench.call('Document.AddToFavorites', own.uid, {}, { as: 'stranger' })
    assert.equal(refused.status, 400)
    assert.match(refused.body.message, /is not a collection/)
  })
})
