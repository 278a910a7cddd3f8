import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { operationBenchOn, type Role, refusalsOf, uidsOf, unknownId } from '../support/operation-bench.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel } from '../support/version-bench.ts'
import type { Answered } from '../support/workbench.ts'

const create = 'Document.CreateTreeSnapshot'
const restore = 'Document.RestoreTreeSnapshot'
const read = 'Document.GetTreeSnapshotChildren'

onEachServer('versions of folder trees', (server) => {
  const bench = operationBenchOn(server)
  const run = (operation: string, input: unknown, params: object = {}, as: Role = 'writer') =>
    bench.run(operation, input, params, { as, headers: { ...fetchLabel, properties: '*' } })

  /** root / (a.txt, sub / (b.txt)), of which the root may be versioned as a tree. */
  async function aTree() {
    const root: Answered = await bench.make('Folder', { 'dc:title': 'root' })
    const a: Answered = await bench.make('File', { 'dc:title': 'a' }, { parent: root.path, name: 'a.txt' })
    const sub: Answered = await bench.make('Folder', { 'dc:title': 'sub' }, { parent: root.path, name: 'sub' })
    const b: Answered = await bench.make('File', { 'dc:title': 'b' }, { parent: sub.path, name: 'b.txt' })
    await run('Document.AddFacet', root.uid, { facet: 'Snapshotable' })
    return { root, a, sub, b }
  }
  const childrenOf = async (version: string, as: Role = 'writer') => (await run(read, version, {}, as)).entries as Answered[]
  const titles = async (version: string, as: Role = 'writer') => (await childrenOf(version, as)).map(({ title }) => title)

  describe(create, () => {
    test('gives a version of the folder that names those of all that is in it', async () => {
      const { root, a, sub, b } = await aTree()
      const version = await run(create, root.uid)
      assert.deepEqual([version.isVersion, version.versionLabel, version.versionableId], [true, '0.1', root.uid])
      const [ofA, ofSub] = await childrenOf(version.uid)
      assert.deepEqual([ofA?.versionableId, ofSub?.versionableId], [a.uid, sub.uid])
      assert.deepEqual(
        (await childrenOf(ofSub?.uid)).map(({ versionableId, versionLabel }) => [versionableId, versionLabel]),
        [[b.uid, '0.1']],
      )
      assert.deepEqual(version.properties['snap:children'], [ofA?.uid, ofSub?.uid])
    })

    test('as MAJOR makes major versions', async () => {
      const { root, b } = await aTree()
      assert.equal((await run(create, root.uid, { 'versioning option': 'major' })).versionLabel, '1.0')
      assert.deepEqual(await bench.listLabels(b.uid), ['1.0'])
    })

    test('makes no version of what has not changed since the last one', async () => {
      const { root, a, sub, b } = await aTree()
      const first = await run(create, root.uid)
      assert.equal((await run(create, root.uid)).uid, first.uid)
      await bench.retitle(b.uid, 'b again')
      const second = await run(create, root.uid)
      assert.equal(second.versionLabel, '0.2')
      assert.deepEqual(await bench.listLabels(a.uid), ['0.1'])
      assert.deepEqual(await bench.listLabels(sub.uid), ['0.1', '0.2'])
      assert.deepEqual(await bench.listLabels(b.uid), ['0.1', '0.2'])
    })

    test('leaves out what is in the trash, and keeps proxies as they are', async () => {
      const { root, a, b } = await aTree()
      const proxy = await bench.createProxy(root.uid, b.uid)
      await run('Document.Trash', a.uid)
      const version = await run(create, root.uid)
      assert.equal(version.properties['snap:children'].length, 2)
      assert.ok(version.properties['snap:children'].includes(proxy))
      assert.deepEqual(await bench.listLabels(a.uid), [])
    })

    test('leaves out what the caller may not read, and fails whole where it may not write', async () => {
      const { root, a, b } = await aTree()
      await bench.restrict(a.uid, grant('owner', 'Everything'))
      assert.deepEqual(await titles((await run(create, root.uid)).uid), ['sub'])
      const other = await aTree()
      await bench.restrict(other.b.uid, grant('writer', 'Read'))
      const refused = await bench.call(create, other.root.uid, {}, { as: 'writer' })
      assert.equal(refused.status, 403, refused.text)
      for (const { uid } of [other.root, other.a, other.sub, other.b]) assert.deepEqual(await bench.listLabels(uid), [])
      assert.equal(b.isVersion, false)
    })

    test('needs no right to write what is as its last version', async () => {
      const { root, b } = await aTree()
      await bench.checkIn(b.uid)
      await bench.restrict(b.uid, grant('writer', 'Read'))
      assert.equal((await run(create, root.uid)).versionLabel, '0.1')
    })

    test('at the same time as others makes one version of each document', async () => {
      const { root, b } = await aTree()
      const answers = await Promise.all(Array.from({ length: 4 }, () => bench.call(create, root.uid, {}, { as: 'writer' })))
      for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text)
      assert.deepEqual(await bench.listLabels(b.uid), ['0.1'])
    })

    refusalsOf(bench, create, {
      'for a folder without the facet': async () => ({
        input: (await bench.make('Folder')).uid,
        status: 400,
        message: /without the facet Snapshotable/,
      }),
      'for a version': async () => ({
        input: (await run(create, (await aTree()).root.uid)).uid,
        status: 400,
        message: /is a version/,
      }),
      'with an option that there is not': async () => ({
        input: (await aTree()).root.uid,
        params: { 'versioning option': 'HUGE' },
        status: 400,
        message: /Use NONE, MINOR or MAJOR/,
      }),
      'with the option NONE': async () => ({
        input: (await aTree()).root.uid,
        params: { 'versioning option': 'NONE' },
        status: 400,
        message: /is MINOR or MAJOR/,
      }),
      'to who can only read': async () => ({
        as: 'reader',
        input: (await aTree()).root.uid,
        status: 403,
        message: /WriteProperties/,
      }),
      'for an unknown document': { input: unknownId, status: 404, message: unknownId },
    })
  })

  describe(read, () => {
    test('shows each caller what they may read of it now', async () => {
      const { root, a } = await aTree()
      const { uid } = await run(create, root.uid)
      assert.deepEqual(await titles(uid, 'reader'), ['a', 'sub'])
      await bench.restrict(a.uid, grant('owner', 'Everything'))
      assert.deepEqual(await titles(uid, 'reader'), ['sub'])
    })
    refusalsOf(bench, read, {
      'for a live folder': async () => ({ input: (await aTree()).root.uid, status: 400, message: /is no version of a tree/ }),
      'to a stranger': async () => ({
        as: 'stranger',
        input: (await run(create, (await aTree()).root.uid)).uid,
        status: 403,
        message: /Read/,
      }),
    })
  })

  describe(restore, () => {
    test('brings back what was changed, moved and trashed, and puts what came since into the trash', async () => {
      const { root, a, sub, b } = await aTree()
      const version = await run(create, root.uid)
      const elsewhere = await bench.make('Folder')
      await bench.retitle(b.uid, 'changed')
      await run('Document.Trash', a.uid)
      await run('Document.Move', sub.uid, { target: elsewhere.path, name: 'moved' })
      const since = await bench.make('File', { 'dc:title': 'since' }, { parent: root.path })
      const live = await run(restore, version.uid)
      assert.deepEqual([live.uid, live.isCheckedOut], [root.uid, false])
      assert.equal((await bench.read(b.uid)).title, 'b')
      assert.equal((await bench.read(a.uid)).isTrashed, false)
      assert.equal((await bench.read(sub.uid)).parentRef, root.uid)
      assert.equal((await bench.read(since.uid)).isTrashed, true)
      assert.deepEqual(await bench.listLabels(b.uid), ['0.1', '0.2'])
    })

    test('leaves alone what came since where it is told to, and makes no versions where it is told not to', async () => {
      const { root, b } = await aTree()
      const version = await run(create, root.uid)
      await bench.retitle(b.uid, 'changed')
      const since = await bench.make('File', {}, { parent: root.path })
      await run(restore, version.uid, { trashOthers: false, createVersion: false })
      assert.equal((await bench.read(since.uid)).isTrashed, false)
      assert.deepEqual(await bench.listLabels(b.uid), ['0.1'])
    })

    test('has administrators alone bring back what was removed for good, under its id', async () => {
      const { root, sub, b } = await aTree()
      const version = await run(create, root.uid)
      await server.as('Administrator').delete(`/id/${sub.uid}`)
      await untilIdle(server)
      assert.equal(await bench.exists(b.uid), false)
      const refused = await bench.call(restore, version.uid, {}, { as: 'writer' })
      assert.equal(refused.status, 403, refused.text)
      await run(restore, version.uid, {}, 'Administrator')
      const back = await bench.read(b.uid, fetchLabel)
      assert.deepEqual([back.title, back.parentRef, back.versionLabel, back.path], ['b', sub.uid, '0.1', b.path])
    })

    test('fails whole where a part may not be written', async () => {
      const { root, a, b } = await aTree()
      const version = await run(create, root.uid)
      await bench.retitle(a.uid, 'a changed')
      await bench.retitle(b.uid, 'b changed')
      await bench.restrict(b.uid, grant('writer', 'Read'))
      assert.equal((await bench.call(restore, version.uid, {}, { as: 'writer' })).status, 403)
      assert.equal((await bench.read(a.uid)).title, 'a changed')
    })

    test('gives an ordered folder its order again', async () => {
      const root = await bench.make('OrderedFolder')
      const a = await bench.make('File', {}, { parent: root.path })
      const b = await bench.make('File', {}, { parent: root.path })
      await run('Document.AddFacet', root.uid, { facet: 'Snapshotable' })
      const version = await run(create, root.uid)
      await run('Document.Order', b.uid, { before: a.uid })
      assert.deepEqual(await bench.listChildren(root.uid), [b.uid, a.uid])
      await run(restore, version.uid)
      assert.deepEqual(await bench.listChildren(root.uid), [a.uid, b.uid])
    })

    test('does not touch what the caller may not see', async () => {
      const { root } = await aTree()
      const hidden = await bench.make('File', {}, { parent: root.path })
      await bench.restrict(hidden.uid, grant('owner', 'Everything'))
      const version = await run(create, root.uid)
      await run(restore, version.uid)
      assert.equal((await bench.read(hidden.uid)).isTrashed, false)
    })

    refusalsOf(bench, restore, {
      'for what is no version of a tree': async () => ({
        input: (await aTree()).root.uid,
        status: 400,
        message: /no version of a tree/,
      }),
      'to who can only read': async () => {
        const { root } = await aTree()
        return { as: 'reader', input: (await run(create, root.uid)).uid, status: 403, message: /WriteVersion/ }
      },
      'while the folder is in the trash': async () => {
        const { root } = await aTree()
        const { uid } = await run(create, root.uid)
        await run('Document.Trash', root.uid)
        return { input: uid, status: 400, message: /in the trash/ }
      },
    })
  })

  describe('what a version of a tree names', () => {
    test('cannot be removed before it', async () => {
      const { root, b } = await aTree()
      await run(create, root.uid)
      await bench.retitle(b.uid, 'changed')
      const [first = ''] = uidsOf(await run('Document.GetVersions', b.uid))
      const refused = await server.as('Administrator').delete(`/id/${first}`)
      assert.equal(refused.status, 403, refused.text)
      assert.match(refused.body.message, /a version of a tree holds it/)
    })

    test('goes with the last one once its documents are gone', async () => {
      const { root, b } = await aTree()
      await run(create, root.uid)
      const [ofB = ''] = uidsOf(await run('Document.GetVersions', b.uid))
      await server.as('Administrator').delete(`/id/${b.uid}`)
      await untilIdle(server)
      assert.equal(await bench.exists(ofB), true)
      await server.as('Administrator').delete(`/id/${root.uid}`)
      await untilIdle(server)
      assert.equal(await bench.exists(ofB), false)
    })

    test('is not for users to write', async () => {
      const { root } = await aTree()
      const { uid } = await run(create, (await aTree()).root.uid)
      await run('Document.AddFacet', root.uid, { facet: 'Snapshot' })
      for (const [name, value] of Object.entries({ 'snap:children': [uid], 'snap:originalName': 'x' })) {
        const answer = await server.as('writer').put(`/id/${root.uid}`, {
          'entity-type': 'document',
          uid: root.uid,
          properties: { [name]: value },
        })
        assert.equal(answer.status, 403, answer.text)
        assert.match(answer.body.message, /is not written directly/)
      }
    })
  })
})

onEachServer(
  'a tree that is too large',
  (server) => {
    const bench = operationBenchOn(server)
    test('is refused before anything is written', async () => {
      const root = await bench.make('Folder')
      await bench.run('Document.AddFacet', root.uid, { facet: 'Snapshotable' })
      for (const name of ['a', 'b', 'c']) await bench.make('File', {}, { parent: root.path, name })
      const answer = await bench.call(create, root.uid)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.message, /more than 3 documents/)
      assert.deepEqual(await bench.listLabels(root.uid), [])
    })
  },
  { settings: { treeSnapshotMaxDocuments: 3 } },
)
