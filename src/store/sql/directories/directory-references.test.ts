import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../../../../test/support/engines.ts'
import { longestTerm } from '../../directory-terms.ts'
import { entryIdTooLong } from '../../problems.ts'
import { unstorableText } from '../../storable-text.ts'
import type { Store } from '../../store.ts'

onEachEngine('references between entries', (engine) => {
  const members = (store: Store, group = 'staff') => store.reader.directories.listTargets('members', group)
  const add = (store: Store, group: string, ...ids: readonly string[]) =>
    store.transact(async ({ directories }) => {
      for (const id of ids) await directories.addTarget('members', group, id)
    })

  test('are added behind the others, once each', async () => {
    const store = await engine.openStore()
    await store.transact(({ directories }) => directories.replaceTargets('members', 'staff', ['zoe', 'ana']))
    await add(store, 'staff', 'bo', 'zoe', 'al', 'bo')
    await add(store, 'board', 'ana')
    assert.deepEqual(await members(store), ['zoe', 'ana', 'bo', 'al'])
    assert.deepEqual(await store.reader.directories.listSources('members', 'ana'), ['board', 'staff'])
  })

  test('are removed one by one, and nothing happens to those that are not there', async () => {
    const store = await engine.openStore()
    await add(store, 'staff', 'zoe', 'ana', 'bo')
    await store.transact(async ({ directories }) => {
      await directories.removeTarget('members', 'staff', 'ana')
      await directories.removeTarget('members', 'staff', 'nobody')
      await directories.removeTarget('members', 'nothing\0', 'bo')
      await directories.addTarget('members', 'staff', 'al')
      await directories.addTarget('members', 'staff', 'ana')
    })
    assert.deepEqual(await members(store), ['zoe', 'bo', 'al', 'ana'])
  })

  test('to an entry are all removed at once, of one name only', async () => {
    const store = await engine.openStore()
    await add(store, 'staff', 'zoe', 'ana')
    await add(store, 'board', 'ana')
    await store.transact(async ({ directories }) => {
      await directories.addTarget('subGroups', 'staff', 'ana')
      await directories.removeSources('members', 'ana')
    })
    assert.deepEqual([await members(store), await members(store, 'board')], [['zoe'], []])
    assert.deepEqual(await store.reader.directories.listSources('subGroups', 'ana'), ['staff'])
  })

  test('come by pages in their order, with those that begin so in any case', async () => {
    const store = await engine.openStore()
    await add(store, 'staff', 'zoe', 'Ana', 'bo', 'ANTON', 'ändern')
    const page = (prefix: string, offset: number, limit: number, group = 'staff') =>
      store.reader.directories.listTargetPage('members', group, { prefix, offset, limit })
    assert.deepEqual(await page('', 0, 2), { ids: ['zoe', 'Ana'], total: 5 })
    assert.deepEqual(await page('', 4, 2), { ids: ['ändern'], total: 5 })
    assert.deepEqual(await page('', 9, 2), { ids: [], total: 5 })
    assert.deepEqual(await page('aN', 0, 10), { ids: ['Ana', 'ANTON'], total: 2 })
    assert.deepEqual(await page('an', 1, 1), { ids: ['ANTON'], total: 2 })
    assert.deepEqual(await page('Ä', 0, 10), { ids: ['ändern'], total: 1 })
    for (const prefix of ['%', '_', 'a\0', 'a'.repeat(100_000)])
      assert.deepEqual(await page(prefix, 0, 10), { ids: [], total: 0 }, prefix.slice(0, 9))
    assert.deepEqual(await page('', 0, 10, 'nobody\0'), { ids: [], total: 0 })
  })

  test('are followed all the way up, the direct ones first, and circles end', async () => {
    const store = await engine.openStore()
    await store.transact(async ({ directories }) => {
      await directories.replaceTargets('members', 'z-team', ['ana'])
      await directories.replaceTargets('members', 'm-team', ['ana', 'bo'])
      await directories.replaceTargets('members', 'k-team', ['bo'])
      await directories.replaceTargets('subGroups', 'a-unit', ['z-team', 'm-team'])
      await directories.replaceTargets('subGroups', 'b-unit', ['a-unit'])
      await directories.replaceTargets('subGroups', 'z-team', ['b-unit'])
      await directories.replaceTargets('subGroups', 'self', ['self'])
    })
    const up = (...ids: readonly string[]) => store.reader.directories.listAllSources('members', 'subGroups', ids)
    assert.deepEqual(await up('ana'), ['m-team', 'z-team', 'a-unit', 'b-unit'])
    assert.deepEqual(await up('ana', 'bo'), ['k-team', 'm-team', 'z-team', 'a-unit', 'b-unit'])
    assert.deepEqual(await up('nobody', 'no\0body'), [])
    assert.deepEqual(await up(), [])
    const above = (id: string) => store.reader.directories.listAllSources('subGroups', 'subGroups', [id])
    assert.deepEqual(await above('self'), ['self'])
    assert.deepEqual(await above('a-unit'), ['b-unit', 'a-unit', 'z-team'])
  })

  test('are told for many at once, those of each and all on the way up', async () => {
    const store = await engine.openStore()
    await store.transact(async ({ directories }) => {
      await directories.replaceTargets('members', 'z-team', ['ana', 'a-unit'])
      await directories.replaceTargets('members', 'm-team', ['ana', 'bo'])
      await directories.replaceTargets('members', 'other', ['cy'])
      await directories.replaceTargets('subGroups', 'b-unit', ['a-unit', 'm-team'])
      await directories.replaceTargets('subGroups', 'a-unit', ['m-team', 'b-unit'])
      await directories.replaceTargets('subGroups', 'apart', ['other'])
      await directories.replaceTargets('others', 'nothing', ['z-team', 'ana'])
    })
    const map = (...ids: readonly string[]) => store.reader.directories.mapSources('members', 'subGroups', ids)
    assert.deepEqual(await map('ana', 'bo', 'a-unit', 'nobody', 'no\0body'), {
      direct: new Map([
        ['ana', ['m-team', 'z-team']],
        ['bo', ['m-team']],
        ['a-unit', ['z-team']],
      ]),
      above: new Map([
        ['m-team', ['a-unit', 'b-unit']],
        ['a-unit', ['b-unit']],
        ['b-unit', ['a-unit']],
      ]),
    })
    const nothing = { direct: new Map(), above: new Map() }
    assert.deepEqual([await map(), await map('no\0body'), await map('nobody')], [nothing, nothing, nothing])
  })

  test('are neither lost nor doubled when two processes add to one group at once', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const wanted = Array.from({ length: 40 }, (_, number) => `u${number}`)
    await Promise.all(stores.flatMap((store, which) => wanted.map((id) => add(store, 'staff', id, `${which}${id}`, 'same'))))
    const found = await members(stores[0] as Store)
    assert.deepEqual(
      found.toSorted(),
      [...wanted, ...wanted.map((id) => `0${id}`), ...wanted.map((id) => `1${id}`), 'same'].toSorted(),
    )
  })

  test('of two that replace them at once are those of one', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const replace = (store: Store, ids: readonly string[]) =>
      store.transact(({ directories }) => directories.replaceTargets('members', 'staff', ids))
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([replace(stores[0] as Store, ['a', 'b']), replace(stores[1] as Store, ['b', 'c'])])
      assert.match((await members(stores[0] as Store)).join(), /^(a,b|b,c)$/)
    }
  })

  test('refuse ids that cannot be stored, and change nothing', async () => {
    const store = await engine.openStore()
    await add(store, 'staff', 'ana')
    const long = 'é'.repeat(longestTerm)
    await add(store, long, long)
    assert.deepEqual(await members(store, long), [long])
    for (const write of [
      () => add(store, 'staff', `${long}x`),
      () => add(store, `${long}x`, 'ana'),
      () => store.transact(({ directories }) => directories.replaceTargets('members', 'staff', ['bo', `${long}x`])),
      () => store.transact(({ directories }) => directories.insert('user', { id: `${long}x`, values: {}, terms: { name: 'x' } })),
      () => store.transact(({ directories }) => directories.insert('user', { id: `${long}${long}x`, values: {} })),
    ])
      await assert.rejects(write, entryIdTooLong.is)
    await assert.rejects(add(store, 'staff', 'a\0'), unstorableText.is)
    assert.deepEqual(await members(store), ['ana'])
  })
})

onEachEngine('the numbers of a directory', (engine) => {
  test('count up from one in each, and none is given twice by two processes', async () => {
    const database = await engine.createDatabase()
    const stores = [await database.open(), await database.open()]
    const take = (store: Store, directory: string) => store.transact(({ directories }) => directories.nextId(directory))
    const taken = await Promise.all(stores.flatMap((store) => Array.from({ length: 20 }, () => take(store, 'tokens'))))
    assert.deepEqual(
      taken.toSorted((a, b) => a - b),
      Array.from({ length: 40 }, (_, index) => index + 1),
    )
    assert.equal(await take(stores[0] as Store, 'others'), 1)
  })
})
