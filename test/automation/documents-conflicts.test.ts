import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operationBenchOn, type Role, uidsOf } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'

onEachServer('operations of many at once', (server) => {
  const bench = operationBenchOn(server)
  const roles: readonly Role[] = ['writer', 'owner']
  /** Calls the operation as often as there are inputs, all at once and as different users, and gives the statuses in order. */
  const statusesOf = async (operation: string, inputs: readonly unknown[], params: (index: number) => object = () => ({})) => {
    const calls = inputs.map((input, index) => bench.call(operation, input, params(index), { as: roles[index % 2] ?? 'writer' }))
    return (await Promise.all(calls)).map(({ status }) => status)
  }
  const all = (uid: string, times = 8) => Array.from({ length: times }, () => uid)

  describe('are done one after the other', () => {
    test('Document.Create under one name gives each a name', async () => {
      const folder = await bench.make('OrderedFolder')
      const statuses = await statusesOf('Document.Create', all(folder.uid), () => ({ type: 'File', name: 'same' }))
      assert.deepEqual(new Set(statuses), new Set([200]))
      const { entries } = await bench.run('Document.GetChildren', folder.uid)
      assert.equal(new Set(entries.map(({ path }: { path: string }) => path)).size, 8)
    })
    test('Document.CheckIn makes one version', async () => {
      const { uid } = await bench.make()
      assert.deepEqual(new Set(await statusesOf('Document.CheckIn', all(uid), () => ({ version: 'minor' }))), new Set([200]))
      assert.deepEqual(await bench.listLabels(uid), ['0.1'])
    })
    test('Document.PublishToSection makes one version and one proxy', async () => {
      const [{ uid }, section] = [await bench.make(), await bench.make('Folder')]
      const statuses = await statusesOf('Document.PublishToSection', all(uid), () => ({ target: section.uid }))
      assert.deepEqual(new Set(statuses), new Set([200]))
      assert.deepEqual([(await bench.listLabels(uid)).length, (await bench.listChildren(section.uid)).length], [1, 1])
    })
    test('Document.SetProperty of parts of one property keeps all parts', async () => {
      const { uid } = await bench.make('File', { 'nxtag:tags': [{ label: 'a' }, { label: 'b' }, { label: 'c' }, { label: 'd' }] })
      const params = (index: number) => ({ xpath: `nxtag:tags/${index}/username`, value: `user ${index}` })
      assert.deepEqual(await statusesOf('Document.SetProperty', all(uid, 4), params), [200, 200, 200, 200])
      const { 'nxtag:tags': tags } = await bench.readProperties(uid)
      assert.deepEqual(
        tags.map(({ label, username }: { label: string; username: string }) => [label, username]),
        ['a', 'b', 'c', 'd'].map((label, index) => [label, `user ${index}`]),
      )
    })
    test('Document.Order keeps every child', async () => {
      const folder = await bench.make('OrderedFolder')
      const uids = []
      for (const _ of [1, 2, 3, 4]) uids.push((await bench.make('File', {}, { parent: folder.path })).uid)
      assert.deepEqual(await statusesOf('Document.Order', uids), [200, 200, 200, 200])
      assert.deepEqual((await bench.listChildren(folder.uid)).toSorted(), uids.toSorted())
    })
  })

  describe('are won by one of them', () => {
    test('Document.Move of two folders into each other', async () => {
      const [one, other] = [await bench.make('Folder'), await bench.make('Folder')]
      const statuses = await statusesOf('Document.Move', [one.uid, other.uid], (index) => ({
        target: index === 0 ? other.uid : one.uid,
      }))
      assert.deepEqual(statuses.toSorted(), [200, 409])
    })
    test('Document.FollowLifecycleTransition', async () => {
      const { uid } = await bench.make()
      const statuses = await statusesOf('Document.FollowLifecycleTransition', all(uid, 4), () => ({ value: 'approve' }))
      assert.deepEqual(statuses.toSorted(), [200, 409, 409, 409])
    })
    test('Document.Delete', async () => {
      const { uid } = await bench.make()
      assert.deepEqual((await statusesOf('Document.Delete', all(uid, 4))).toSorted(), [204, 404, 404, 404])
    })
    test('Document.Delete and Document.Hold', async () => {
      const { uid } = await bench.make()
      const [deleted, held] = await Promise.all([
        bench.call('Document.Delete', uid, {}, { as: 'writer' }),
        bench.call('Document.Hold', uid, {}, { as: 'owner' }),
      ])
      const isGone = !(await bench.exists(uid))
      assert.deepEqual([deleted.status, held.status], isGone ? [204, 404] : [deleted.status, 200])
      assert.ok(isGone || deleted.status === 409 || deleted.status === 403)
    })
  })

  test('a list that one of its items spoils changes nothing, wherever that stands', async () => {
    for (const place of [0, 1, 2]) {
      const uids: string[] = []
      for (const _ of [1, 2, 3]) uids.push((await bench.make('File', { 'dc:title': 'before' })).uid)
      await bench.run('Document.Lock', uids[place], {}, { as: 'owner' })
      const answer = await bench.call('Document.Update', uids, { properties: 'dc:title=after' }, { as: 'writer' })
      assert.equal(answer.status, 403)
      for (const uid of uids) assert.equal((await bench.read(uid)).title, 'before')
    }
  })
  test('a document that is in a list twice is worked on twice', async () => {
    const { uid } = await bench.make('File', {})
    const params = { xpath: 'dc:contributors', value: 'someone', checkExists: false }
    assert.deepEqual(uidsOf(await bench.run('AddEntryToMultivaluedProperty', [uid, uid], params)), [uid, uid])
    const { 'dc:contributors': contributors } = await bench.readProperties(uid)
    assert.equal(contributors.filter((one: string) => one === 'someone').length, 2)
  })
})
