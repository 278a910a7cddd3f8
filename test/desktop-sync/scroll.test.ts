import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { desktopClientOn } from '../support/desktop-client.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer('what is below a folder of a desktop client', (server) => {
  const bench = workbenchOn(server)
  const ann = desktopClientOn(server, 'ann')
  const ben = desktopClientOn(server, 'ben')
  let root: Answered
  let id: string
  const expected: string[] = []
  before(async () => {
    for (const user of ['ann', 'ben']) await server.addUser(user, ['members'])
    root = await bench.create('Folder', { 'dc:title': 'root' })
    await bench.restrict(root.uid, grant('ann', 'Read'), grant('ben', 'Read'))
    id = `defaultSyncRootFolderItemFactory#default#${root.uid}`
    const put = async (type: string, name: string, parent: string) =>
      bench.create(type, { 'dc:title': name, ...(type === 'Note' && { 'note:note': name }) }, { parent, name })
    // Names around the separator of paths: what is in a folder does not stand right behind it.
    for (const name of ['a', 'a!b', 'a-', 'a0', 'b']) {
      const folder = await put('Folder', name, root.path)
      expected.push(folder.uid, (await put('Note', `n-${name}`, folder.path)).uid)
    }
    const hidden = await put('Folder', 'a.hidden', root.path)
    await put('Note', 'secret', hidden.path)
    await bench.setAcls(hidden.uid, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
    const open = await put('Note', 'open but below', hidden.path)
    await bench.setAcls(open.uid, [{ name: 'local', aces: [grant('ann', 'Read')] }])
    const trashed = await put('Folder', 'a1', root.path)
    await put('Note', 'thrown away', trashed.path)
    await operationsOn(server)('Document.Trash', { input: trashed.uid })
    await put('Section', 'empty file', '/default-domain/sections')
    await put('File', 'without a file', root.path)
    for (const client of [ann, ben]) await client.register(root.uid)
  })
  const scroll = (params: object, user = 'ann') => operationsOn(server, user)('AcmeDrive.ScrollDescendants', { params })

  for (const batchSize of [1, 2, 3, 7, 1_000]) {
    test(`is told in batches of ${batchSize}, each document once and behind its folder`, async () => {
      const found: Answered[] = []
      let batches = 0
      for (let scrollId = ''; ; batches += 1) {
        const page = await ann.call('ScrollDescendants', { id, scrollId, batchSize })
        if (page.fileSystemItems.length === 0) break
        assert.ok(page.fileSystemItems.length <= batchSize)
        found.push(...page.fileSystemItems)
        scrollId = page.scrollId
      }
      assert.equal(batches, Math.ceil(expected.length / batchSize))
      assert.deepEqual(found.map((item) => item.id.split('#')[2]).toSorted(), expected.toSorted())
      const seen = new Set([id])
      for (const item of found) {
        assert.ok(seen.has(item.parentId))
        seen.add(item.id)
      }
    })
  }

  for (const batchSize of [0, -1, 1_001]) {
    test(`is not told in batches of ${batchSize}`, async () => {
      assertRefused(await scroll({ id, batchSize }), 400, /ask for 1 to 1000 items/)
    })
  }

  test('is gone on with only by who began it, in the folder it was begun in, and for a while', async () => {
    const { scrollId } = await ann.call('ScrollDescendants', { id, batchSize: 1 })
    assertRefused(await scroll({ id, batchSize: 1, scrollId }, 'ben'), 400, /No search context found/)
    const [inner] = await ann.call('GetChildren', { id })
    assertRefused(await scroll({ id: inner.id, batchSize: 1, scrollId }), 400, /No search context found/)
    const turned = `${scrollId.startsWith('A') ? 'B' : 'A'}${scrollId.slice(1)}`
    for (const wrong of ['x', turned, 'x'.repeat(30_000)])
      assertRefused(await scroll({ id, batchSize: 1, scrollId: wrong }), 400, /No search context found/)
    const short = await ann.call('ScrollDescendants', { id, batchSize: 1, keepAlive: 1 })
    await delay(20)
    assertRefused(await scroll({ id, batchSize: 1, scrollId: short.scrollId }), 400, /has expired/)
    assert.equal((await ann.call('ScrollDescendants', { id, batchSize: 1, scrollId })).fileSystemItems.length, 1)
  })
})
