import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { statusOfError } from '../../src/rest/problem-status.ts'
import { aDocument } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

onEachServer('at the same time', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))
  /** 200, or the status of the refusal. */
  const statusOf = async (attempt: Promise<unknown>) => {
    try {
      await attempt
      return 200
    } catch (error) {
      return statusOfError(error)
    }
  }
  const move = (id: string, parentId: string, name?: string) =>
    statusOf(
      server.inSession('Administrator', (session) =>
        moveDocument(session, id, name === undefined ? { parentId } : { parentId, name }),
      ),
    )
  const rename = (id: string, name: string) =>
    statusOf(server.inSession('Administrator', (session) => moveDocument(session, id, { name })))
  const createFolder = (parent?: Answered): Promise<Answered> =>
    bench.create('Folder', {}, parent === undefined ? {} : { parent: parent.path })

  /** Every path is its parent's path and its name, and leads up to the root. */
  async function assertWholeTree(): Promise<void> {
    const documents = await server.asSystem(async ({ tx }) => {
      const root = await tx.documents.findByPath('/')
      return [root, ...(await tx.documents.listBelow('/', undefined, 10_000))]
    })
    const byId = new Map(documents.map((document) => [document?.id, document]))
    for (const document of documents) {
      if (document === undefined || document.path === '/') continue
      const parent = byId.get(document.parentId ?? '')
      assert.ok(parent, `the parent of ${document.path} is there`)
      assert.equal(document.path, `${parent.path === '/' ? '' : parent.path}/${document.name}`)
    }
  }

  describe('9 two moves', () => {
    test('of a folder into another and of that into the first make no circle: one is refused with 409', async () => {
      for (let round = 0; round < 5; round++) {
        const [one, other] = [await createFolder(), await createFolder()]
        const [inOne, inOther] = [await createFolder(one), await createFolder(other)]
        const statuses = await Promise.all([move(one.uid, inOther.uid), move(other.uid, inOne.uid)])
        assert.deepEqual(statuses.toSorted(), [200, 409])
        await assertWholeTree()
      }
    })
    test('of the same document to different folders leave it in one of them', async () => {
      const [one, other, file] = [await createFolder(), await createFolder(), await bench.create('File')]
      assert.deepEqual(await Promise.all([move(file.uid, one.uid), move(file.uid, other.uid)]), [200, 200])
      assert.ok([one.uid, other.uid].includes((await bench.read(file.uid)).parentRef))
      await assertWholeTree()
    })
    test('to the same name in a folder both succeed, and the names differ', async () => {
      const folder = await createFolder()
      const files = await Promise.all(Array.from({ length: 5 }, () => bench.create('File')))
      const statuses = await Promise.all(files.map(({ uid }) => move(uid, folder.uid, 'same')))
      assert.deepEqual(new Set(statuses), new Set([200]))
      const paths = await Promise.all(files.map(async ({ uid }) => (await bench.read(uid)).path))
      assert.equal(new Set(paths).size, 5)
      await assertWholeTree()
    })
    test('of a folder and of what is below it keep all paths right', async () => {
      for (let round = 0; round < 5; round++) {
        const [outer, target] = [await createFolder(), await createFolder()]
        const inner = await createFolder(outer)
        await bench.create('File', {}, { parent: inner.path })
        const statuses = [rename(outer.uid, `outer-${round}`), rename(inner.uid, 'inner'), move(inner.uid, target.uid)]
        assert.deepEqual(await Promise.all(statuses), [200, 200, 200])
        assert.equal((await bench.read(inner.uid)).parentRef, target.uid)
        await assertWholeTree()
      }
    })
    test('append to an ordered folder one after the other', async () => {
      const folder = await bench.create('OrderedFolder')
      const files = await Promise.all(Array.from({ length: 5 }, () => bench.create('File')))
      await Promise.all(files.map(({ uid }) => move(uid, folder.uid)))
      const positions = await server.asSystem(async ({ tx }) =>
        (await tx.documents.findAll(files.map(({ uid }) => uid))).map(({ position }) => position),
      )
      assert.deepEqual(positions.toSorted(), [0, 1, 2, 3, 4])
    })
  })

  describe('9 a move', () => {
    test('and creations below it lose no document: each is below where the folder went', async () => {
      for (let round = 0; round < 3; round++) {
        const [folder, target] = [await createFolder(), await createFolder()]
        await bench.restrict(target.uid, grant('bob', 'Read'))
        const creations = [1, 2, 3, 4].map(() => server.as('Administrator').post(`/id/${folder.uid}`, aDocument()))
        const [moved, ...created] = await Promise.all([move(folder.uid, target.uid, 'gone'), ...creations])
        assert.equal(moved, 200)
        for (const { status, body } of created) {
          assert.equal(status, 201)
          assert.ok((await bench.read(body.uid)).path.startsWith(`${target.path}/gone/`))
          assert.equal((await server.as('bob').get(`/id/${body.uid}`)).status, 200)
        }
        await assertWholeTree()
      }
    })
    test('and the removal of where it goes: the document is there, or gone with the folder', async () => {
      for (let round = 0; round < 3; round++) {
        const [file, target] = [await bench.create('File'), await createFolder()]
        const removal = server.as('Administrator').delete(`/id/${target.uid}`)
        const [moved, removed] = await Promise.all([move(file.uid, target.uid), removal])
        assert.equal(removed.status, 204)
        assert.ok(moved === 200 || moved === 404)
        const { status } = await server.as('Administrator').get(`/id/${file.uid}`)
        assert.equal(status, moved === 200 ? 404 : 200)
        await assertWholeTree()
      }
    })
    test('and a copy of the same folder: the copy is whole', async () => {
      const [folder, target] = [await createFolder(), await createFolder()]
      for (let made = 0; made < 5; made++) await bench.create('File', {}, { parent: folder.path })
      const copying = statusOf(
        server.inSession('Administrator', (session) => copyDocument(session, folder.uid, { parentId: target.uid, name: 'copy' })),
      )
      assert.deepEqual(await Promise.all([move(folder.uid, target.uid, 'moved'), copying]), [200, 200])
      for (const name of ['moved', 'copy']) {
        const { body } = await server.as('Administrator').get(`/path${target.path}/${name}/@children`)
        assert.equal(body.entries.length, 5, name)
      }
      await assertWholeTree()
    })
    test('and a change of its properties are both kept', async () => {
      const [file, target] = [await bench.create('File'), await createFolder()]
      const change = server
        .as('Administrator')
        .put(`/id/${file.uid}`, { 'entity-type': 'document', properties: { 'dc:title': 'both' } })
      const [moved, changed] = await Promise.all([move(file.uid, target.uid), change])
      assert.deepEqual([moved, changed.status], [200, 200])
      const read = await bench.read(file.uid)
      assert.deepEqual([read.parentRef, read.title], [target.uid, 'both'])
    })
  })

  describe('9 the removal of a folder', () => {
    const pause = () => new Promise((resume) => setTimeout(resume, 100))
    /** Removes the folder once the other has done its work, but before that is committed. */
    async function removeDuring(folder: Answered, other: (session: WriteSession) => Promise<unknown>): Promise<number> {
      const { promise: isDone, resolve: done } = Promise.withResolvers<void>()
      const work = server.inSession('Administrator', async (session) => {
        await other(session)
        done()
        await pause()
      })
      await isDone
      const removal = server.as('Administrator').delete(`/id/${folder.uid}`)
      await work
      return (await removal).status
    }
    const createPair = async () => {
      const folder = await createFolder()
      return { folder, file: await bench.create('File', {}, { parent: folder.path }) }
    }
    test('sees a proxy that is made meanwhile of a document in it: 409', async () => {
      const [{ folder, file }, elsewhere] = [await createPair(), await createFolder()]
      assert.equal(await removeDuring(folder, (session) => createProxy(session, file.uid, elsewhere.uid)), 409)
      assert.equal((await bench.read(file.uid)).path, file.path)
    })
    test('sees a copy that is made meanwhile of a proxy in it: 409', async () => {
      const [{ folder, file }, elsewhere] = [await createPair(), await createFolder()]
      await bench.createProxy(folder.uid, file.uid, 'proxy')
      const inner = await createFolder(folder)
      const proxy = await bench.createProxy(inner.uid, file.uid)
      for (const id of [proxy, inner.uid]) {
        const status = await removeDuring(folder, (session) => copyDocument(session, id, { parentId: elsewhere.uid }))
        assert.equal(status, 409)
      }
    })
    test('takes along what is created in it meanwhile', async () => {
      const { folder } = await createPair()
      let created = ''
      const status = await removeDuring(folder, async (session) => {
        const parent = await readDocument(session, folder.uid)
        created = (await createDocument(session, { parent, type: 'File', name: 'late', properties: {} })).id
      })
      assert.equal(status, 204)
      assert.equal((await server.as('Administrator').get(`/id/${created}`)).status, 404)
    })
  })
})
