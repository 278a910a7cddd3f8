import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus } from '../support/workbench.ts'
import { quotaDesk } from './quota-desk.ts'

const exceeded = /(?:^|, )label\.quotaException\.QuotaExceeded: /

onEachServer('a folder with a quota', (server) => {
  const desk = quotaDesk(server)
  const { bench, call, info, sizes, upload, put } = desk
  const refused = (answer: { status: number; body: { message: string } }, sentence: RegExp = exceeded) => {
    assert.equal(answer.status, 413, JSON.stringify(answer.body))
    assert.match(answer.body.message, exceeded)
    assert.match(answer.body.message, sentence)
  }
  before(() => server.addUser('alice', ['members']))

  describe('takes files until it is full', () => {
    test('and refuses one more, saying how much room there is and which folder it is, and stores nothing of it', async () => {
      const { uid, path } = await desk.folder(100)
      await desk.file(path, 60)
      const answer = await upload(path, 41, { name: 'late' })
      refused(
        answer,
        /^label\.quotaException\.QuotaExceeded: The folder \/default-domain\/workspaces\/folder-\d+ may hold 100 bytes of files/,
      )
      assert.match(answer.body.message, /has room for 40 bytes: 41 bytes more do not fit/)
      assert.equal((await server.as('Administrator').get(`/path${path}/late`)).status, 404)
      assert.deepEqual(await sizes(uid), [60, 0, 0])
      await desk.file(path, 40)
      refused(await upload(path, 1))
      assert.deepEqual(await info(uid), { innerSize: 0, totalSize: 100, maxQuota: 100 })
      requireStatus(201, await upload(path, 0))
    })

    test('wherever below it they come, and counts each of nested folders', async () => {
      const outer = await desk.folder(100)
      const plain = await bench.create('Folder', {}, { parent: outer.path })
      const inner = await desk.folder(50, plain.path)
      await desk.file(inner.path, 40)
      refused(await upload(inner.path, 20), /folder-\d+\/folder-\d+ may hold 50/)
      await desk.file(plain.path, 55)
      refused(await upload(inner.path, 8), /may hold 100 bytes .* room for 5 bytes/)
      assert.deepEqual(await sizes(outer.uid), [95, 0, 0])
      assert.deepEqual(await sizes(inner.uid), [40, 0, 0])
    })

    test('but does not tell the path of a folder that the caller may not read', async () => {
      const outer = await desk.folder(10)
      const inner = await bench.create('Folder', {}, { parent: outer.path })
      await bench.restrict(outer.uid)
      await bench.setAcls(inner.uid, [{ name: 'local', aces: [grant('alice', 'ReadWrite')] }])
      const answer = await upload(inner.path, 11, { user: 'alice' })
      refused(answer, /: A folder above may hold 10 bytes/)
      assert.doesNotMatch(answer.text, new RegExp(outer.path))
    })

    test('in whichever property they are, lists and complex values among them', async () => {
      const { uid, path } = await desk.folder(100)
      const document = await desk.file(path, 10)
      const [a, b] = await desk.sentFiles(20, 30)
      requireStatus(200, await put(document.uid, { 'files:files': [{ file: a }, { file: b }] }))
      assert.deepEqual(await sizes(uid), [60, 0, 0])
      const [c] = await desk.sentFiles(51)
      refused(await put(document.uid, { 'file:content': c, 'dc:title': 'not this one' }))
      assert.notEqual((await bench.read(document.uid)).title, 'not this one')
      requireStatus(200, await put(document.uid, { 'files:files': [], 'file:content': (await desk.sentFiles(100))[0] }))
      assert.deepEqual(await sizes(uid), [100, 0, 0])
      requireStatus(200, await put(document.uid, { 'file:content': null }))
      assert.deepEqual(await sizes(uid), [0, 0, 0])
    })
  })

  describe('counts', () => {
    test('versions, however they come and go', async () => {
      const { uid, path } = await desk.folder(100)
      const document = await desk.file(path, 30)
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      assert.deepEqual(await sizes(uid), [60, 0, 30])
      requireStatus(200, await put(document.uid, { 'file:content': (await desk.sentFiles(20))[0] }))
      assert.deepEqual(await sizes(uid), [50, 0, 30])
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Major' }, document.uid))
      assert.deepEqual(await sizes(uid), [70, 0, 50])
      const versions = requireStatus(200, await call('Document.GetVersions', {}, document.uid)).entries
      requireStatus(200, await call('Document.RestoreVersion', { checkout: 'true' }, versions[0].uid))
      assert.deepEqual(await sizes(uid), [80, 0, 50])
      refused(await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      assert.equal((await server.as('Administrator').delete(`/id/${versions.at(-1).uid}`)).status, 204)
      await call('Document.RemoveVersions', {}, document.uid)
      assert.equal((await server.as('Administrator').delete(`/id/${document.uid}`)).status, 204)
      assert.deepEqual(await sizes(uid), [0, 0, 0])
      await untilIdle(server)
      assert.deepEqual(await sizes(uid), [0, 0, 0])
    })

    test('copies, and what is moved in, out and between', async () => {
      const [left, right] = [await desk.folder(100), await desk.folder(60)]
      const plain = await bench.create('Folder')
      const tree = await bench.create('Folder', {}, { parent: left.path })
      const document = await desk.file(tree.path, 25)
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      requireStatus(200, await call('Document.Copy', { target: right.path, name: 'copy' }, tree.uid))
      assert.deepEqual(await sizes(left.uid), [50, 0, 25])
      assert.deepEqual(await sizes(right.uid), [25, 0, 0])
      refused(await call('Document.Move', { target: right.path }, tree.uid))
      assert.equal((await bench.read(tree.uid)).path, tree.path)
      const copy = (await server.as('Administrator').get(`/path${right.path}/copy`)).body
      requireStatus(200, await call('Document.Move', { target: plain.path }, copy.uid))
      assert.deepEqual(await sizes(right.uid), [0, 0, 0])
      requireStatus(200, await call('Document.Move', { target: right.path, name: 'there' }, tree.uid))
      assert.deepEqual(await sizes(left.uid), [0, 0, 0])
      assert.deepEqual(await sizes(right.uid), [50, 0, 25])
      requireStatus(200, await call('Document.Move', { target: right.path, name: 'again' }, tree.uid))
      assert.deepEqual(await sizes(right.uid), [50, 0, 25])
      requireStatus(200, await call('Document.Move', { target: plain.path }, right.uid))
      assert.deepEqual(await sizes(right.uid), [50, 0, 25])
    })

    test('the trash apart from the rest, until it is emptied', async () => {
      const outer = await desk.folder(100)
      const middle = await bench.create('Folder', {}, { parent: outer.path })
      const inner = await desk.folder(80, middle.path)
      const document = await desk.file(inner.path, 20)
      await desk.file(middle.path, 30)
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      requireStatus(200, await call('Document.Trash', {}, document.uid))
      assert.deepEqual(await sizes(inner.uid), [40, 20, 20])
      requireStatus(200, await call('Document.Trash', {}, middle.uid))
      assert.deepEqual(await sizes(outer.uid), [70, 50, 20])
      assert.deepEqual(await sizes(inner.uid), [40, 20, 20])
      requireStatus(200, await call('Document.Untrash', {}, middle.uid))
      assert.deepEqual(await sizes(outer.uid), [70, 0, 20])
      refused(await upload(outer.path, 31))
      requireStatus(200, await call('Document.Trash', {}, middle.uid))
      const emptied = await call('Document.EmptyTrash', { parent: outer.uid })
      assert.ok(emptied.status < 300, emptied.text)
      await untilIdle(server)
      assert.deepEqual(await sizes(outer.uid), [0, 0, 0])
      assert.deepEqual(await desk.miscounted(), [])
    })

    test('nothing for proxies and for what a publication shows', async () => {
      const { uid, path } = await desk.folder(100)
      const document = await desk.file(path, 40)
      const elsewhere = await bench.create('Folder')
      const section = await bench.create('Folder', {}, { parent: path })
      await bench.createProxy(section.uid, document.uid)
      assert.deepEqual(await sizes(uid), [40, 0, 0])
      await bench.publish(document.uid, elsewhere.uid)
      assert.deepEqual(await sizes(uid), [80, 0, 40])
    })

    test('what was there before it had a quota', async () => {
      const folder = await bench.create('Workspace')
      const document = await desk.file(folder.path, 30)
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      const trashed = await desk.file(folder.path, 5)
      requireStatus(200, await call('Document.Trash', {}, trashed.uid))
      requireStatus(200, await desk.setMaxSize(folder.uid, 10))
      assert.deepEqual(await sizes(folder.uid), [65, 5, 30])
      refused(await upload(folder.path, 1), /room for 0 bytes: 1 byte more/)
      requireStatus(200, await put(document.uid, { 'file:content': (await desk.sentFiles(29))[0] }))
      assert.deepEqual(await sizes(folder.uid), [64, 5, 30])
    })
  })

  test('leaves its own change token alone when a file below it is added', async () => {
    const { uid, path } = await desk.folder(100)
    const { changeToken } = await bench.read(uid)
    await desk.file(path, 40)
    assert.equal((await bench.read(uid)).changeToken, changeToken)
  })

  test('refuses what a chain of several operations adds in the end, and nothing of it is left', async () => {
    const { uid, path } = await desk.folder(100)
    const document = await desk.file(path, 40)
    const target = await bench.create('Folder', {}, { parent: path })
    const copied = await server
      .as('Administrator')
      .post('/automation/Document.Copy', { input: `docs:${document.uid},${document.uid}`, params: { target: target.path } })
    refused(copied)
    assert.deepEqual(await sizes(uid), [40, 0, 0])
  })
})
