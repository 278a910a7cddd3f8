import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { noteOne } from '../../src/features/quotas/recount.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'
import { quotaDesk } from './quota-desk.ts'

onEachServer('the operations of quotas', (server) => {
  const desk = quotaDesk(server)
  const { bench, call, info, setMaxSize } = desk
  const admin = () => server.as('Administrator')
  const inactive = { innerSize: -1, totalSize: -1, maxQuota: -1 }
  const refused = (status: number, sentence: RegExp, answer: { status: number; text: string; body: Answered }) => {
    assert.equal(answer.status, status, answer.text)
    assert.match(answer.body.message, sentence)
  }
  before(async () => {
    await server.addUser('alice', ['members'])
    await server.addUser('bob', ['members'])
  })

  describe('Quotas.SetMaxSize', () => {
    test('takes the document as its input or by name, and gives the number back', async () => {
      const { uid, path } = await bench.create('Folder')
      const number = { 'entity-type': 'number', value: 1_000 }
      assert.deepEqual(requireStatus(200, await setMaxSize(uid, 1_000)), number)
      assert.deepEqual(requireStatus(200, await call('Quotas.SetMaxSize', { targetSize: '1000', documentRef: path })), number)
      refused(400, /no document: send one as the input/, await call('Quotas.SetMaxSize', { targetSize: 1 }))
      refused(404, /.*/, await call('Quotas.SetMaxSize', { targetSize: 1, documentRef: '/no/where' }))
    })

    test('is for administrators, not for whoever may do everything with the folder', async () => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('alice', 'Everything')] }])
      // Like every operation that is bound to administrators: for others there is none.
      assert.equal((await setMaxSize(uid, 5, 'alice')).status, 404)
      assert.equal((await call('Quotas.RecomputeStatistics', {}, undefined, 'alice')).status, 404)
      const smuggled = { id: 'Quotas.SetMaxSize', parameters: { targetSize: 5 } }
      assert.notEqual((await call('RunOperation', smuggled, uid, 'alice')).status, 200)
      assert.deepEqual(await info(uid), inactive)
    })

    test('lifts with -1, also where there is none, and counts without a limit with 0', async () => {
      const { uid, path } = await desk.folder(10)
      requireStatus(200, await setMaxSize(uid, 0))
      await desk.file(path, 11)
      assert.deepEqual(await info(uid), { innerSize: 0, totalSize: 11, maxQuota: 0 })
      for (const _ of [1, 2]) assert.equal(requireStatus(200, await setMaxSize(uid, -1)).value, -1)
      assert.deepEqual(await info(uid), inactive)
      const { facets, properties } = await bench.read(uid, { properties: '*' })
      assert.ok(!facets.includes('DocumentsSizeStatistics'))
      assert.ok(!Object.keys(properties).some((name) => name.startsWith('dss:')))
    })

    test('refuses what is no number of bytes, or more than the server allows', async () => {
      const { uid } = await bench.create('Folder')
      for (const wrong of [-2, Number.MAX_SAFE_INTEGER, 999 * 1024 ** 4]) {
        refused(400, /label\.quotaException\.QuotaCanNotBeSet: A quota cannot be/, await setMaxSize(uid, wrong))
      }
      for (const wrong of ['much', '99999999999999999999', 1.5, {}, null, undefined])
        assert.equal((await setMaxSize(uid, wrong)).status, 400, `${wrong}`)
    })

    test('refuses what is no folder, a version and a proxy', async () => {
      const parent = await bench.create('Folder')
      const { uid } = await bench.create('File', {}, { parent: parent.path })
      const version = requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, uid))
      const versions = requireStatus(200, await call('Document.GetVersions', {}, version.uid)).entries
      refused(400, /it is no folder/, await setMaxSize(uid, 10))
      refused(400, /it is a version/, await setMaxSize(versions[0].uid, 10))
      const proxy = await bench.createProxy(parent.uid, uid)
      refused(400, /it is a proxy/, await setMaxSize(proxy, 10))
    })

    test('sets it on the root', async () => {
      const root = requireStatus(200, await admin().get('/path/'))
      requireStatus(200, await setMaxSize(root.uid, 10_000_000))
      const before: Answered = await info(root.uid)
      await desk.file('/default-domain/workspaces', 7)
      assert.equal((await info(root.uid)).totalSize, before.totalSize + 7)
      requireStatus(200, await setMaxSize(root.uid, -1))
    })

    test('promises no more below a folder than that may hold, as the folders above it are asked in turn', async () => {
      const outer = await desk.folder(100)
      const plain = await bench.create('Folder', {}, { parent: outer.path })
      const first = await desk.folder(60, plain.path)
      const second = await bench.create('Folder', {}, { parent: outer.path })
      refused(409, /QuotaCanNotBeSet: The folder \S+ may hold 100 bytes, .* have 60 bytes/, await setMaxSize(second.uid, 41))
      requireStatus(200, await setMaxSize(second.uid, 40))
      const within = await bench.create('Folder', {}, { parent: first.path })
      refused(409, /may hold 60 bytes/, await setMaxSize(within.uid, 61))
      requireStatus(200, await setMaxSize(within.uid, 60))
      requireStatus(200, await setMaxSize(plain.uid, 60))
      refused(409, /may hold 100 bytes/, await setMaxSize(plain.uid, 61))
    })

    test('is in the log with who did it and what it was, is and was again', async () => {
      const { uid } = await desk.folder(100)
      requireStatus(200, await setMaxSize(uid, 200))
      requireStatus(200, await setMaxSize(uid, 200))
      requireStatus(200, await setMaxSize(uid, -1))
      const { entries } = requireStatus(200, await admin().get(`/id/${uid}/@audit?pageSize=100`))
      const said = entries
        .filter(({ eventId }: Answered) => eventId === 'documentModified')
        .map(({ comment, principalName }: Answered) => [principalName, comment])
      const lines = [
        'The quota was set to 100 bytes.',
        'The quota was changed from 100 to 200 bytes.',
        'The quota of 200 bytes was lifted.',
      ]
      assert.deepEqual(said.toReversed().length, 3)
      for (const line of lines)
        assert.ok(
          said.some(([who, what]: string[]) => who === 'Administrator' && what === line),
          line,
        )
    })
  })

  describe('Quotas.GetInfo', () => {
    test('tells of a document below a folder with a quota what it holds, and of a folder there what that holds itself', async () => {
      const { path } = await desk.folder(100)
      const between = await bench.create('Folder', {}, { parent: path })
      const document = await desk.file(between.path, 20)
      requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
      assert.deepEqual(await info(document.uid), { innerSize: 20, totalSize: 40, maxQuota: -1 })
      assert.deepEqual(await info(between.uid), { innerSize: 0, totalSize: -1, maxQuota: -1 })
      const outside = await desk.file('/default-domain/workspaces', 20)
      assert.deepEqual(await info(outside.uid), inactive)
    })

    test('takes the document by name, too', async () => {
      const { uid } = await desk.folder(100)
      const { value } = requireStatus(200, await call('Quotas.GetInfo', { documentRef: uid }))
      assert.deepEqual(value, { innerSize: 0, totalSize: 0, maxQuota: 100 })
      refused(400, /no document: send one as the input/, await call('Quotas.GetInfo'))
    })

    test('takes the right to read, as the statistics and the enricher do', async () => {
      const { uid } = await desk.folder(100)
      await bench.restrict(uid, grant('alice', 'Browse'))
      for (const user of ['alice', 'bob']) {
        assert.equal((await call('Quotas.GetInfo', {}, uid, user)).status, 403)
        assert.equal((await call('Quotas.GetInfo', { documentRef: uid }, undefined, user)).status, 403)
        assert.equal((await call('Quotas.GetStatistics', { documentRef: uid }, undefined, user)).status, 403)
        assert.equal((await server.as(user).get(`/id/${uid}`, { 'enrichers.document': 'quota' })).status, 403)
      }
    })

    test('sees what its own chain has written', async () => {
      const { uid, path } = await desk.folder(100)
      const source = await desk.file('/default-domain/workspaces', 30)
      const sees = server.inSession('Administrator', async (session) => {
        const { copyDocument } = await import('../../src/core/documents/place/copy-document.ts')
        const { readQuotaInfo } = await import('../../src/features/quotas/quota-info.ts')
        await copyDocument(session, source.uid, { parentId: uid })
        const folder = await session.tx.documents.findByPath(path)
        assert.ok(folder)
        return readQuotaInfo(session, folder)
      })
      assert.equal((await sees).totalSize, 30)
    })
  })

  test('Quotas.GetStatistics gives the pieces of a pie, labelled in English or French', async () => {
    const { uid, path } = await desk.folder(10_000)
    const document = await desk.file(path, 1_536)
    requireStatus(200, await call('Document.CreateVersion', { increment: 'Minor' }, document.uid))
    const other = await desk.file(path, 100)
    requireStatus(200, await call('Document.Trash', {}, other.uid))
    const statistics = async (language?: string) => {
      const answer = await call('Quotas.GetStatistics', { documentRef: uid, ...(language !== undefined && { language }) })
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      return requireStatus(200, answer)
    }
    assert.deepEqual(await statistics(), [
      { label: 'Live documents:1.5 KB', data: 1_536 },
      { label: 'Trash:100 B', data: 100 },
      { label: 'Versions:1.5 KB', data: 1_536 },
    ])
    assert.deepEqual((await statistics('fr_FR'))[0], { label: 'Documents:1,5 Ko', data: 1_536 })
    assert.deepEqual(await statistics('tlh'), await statistics('en'))
    const plain = await bench.create('Folder')
    refused(400, /has no quota/, await call('Quotas.GetStatistics', { documentRef: plain.uid }))
    assert.equal((await call('Quotas.GetStatistics')).status, 400)
  })

  describe('Quotas.RecomputeStatistics', () => {
    const recompute = (params: object) => call('Quotas.RecomputeStatistics', params)
    const queued = { 'entity-type': 'string', value: 'status.quota.initialComputationQueued' }
    const spoil = (uid: string) =>
      server.asSystem(async ({ tx }) => {
        const { setSizes } = await import('../../src/features/quotas/quota-folders.ts')
        await setSizes(tx.tables, uid, { total: 1, trash: 2, versions: 3 })
      })

    test('counts anew what a path has to do with, and everything without one', async () => {
      const outer = await desk.folder(100)
      const inner = await desk.folder(50, outer.path)
      await desk.file(inner.path, 20)
      for (const [params, mended] of [
        [{ path: inner.path }, [outer.uid, inner.uid]],
        [{}, [outer.uid, inner.uid]],
      ] as const) {
        for (const uid of mended) await spoil(uid)
        assert.deepEqual(await desk.miscounted().then((wrong) => wrong.length), 2)
        assert.deepEqual(requireStatus(200, await recompute(params)), queued)
        await untilIdle(server)
        assert.deepEqual(await desk.sizes(inner.uid), [20, 0, 0])
      }
      requireStatus(200, await recompute({ tenantId: 'default-domain', updaterName: 'documentsSizeUpdater' }))
      await untilIdle(server)
    })

    test('finds the workspace of a user', async () => {
      const workspace = requireStatus(200, await call('UserWorkspace.Get', {}, undefined, 'bob'))
      refused(404, /workspace of 'alice'/, await recompute({ username: 'alice' }))
      assert.match(requireStatus(200, await recompute({ username: 'bob' })).value, /Completed$/)
      requireStatus(200, await setMaxSize(workspace.uid, 10))
      assert.deepEqual(requireStatus(200, await recompute({ username: 'bob' })), queued)
      assert.equal((await desk.upload(workspace.path, 11, { user: 'bob' })).status, 413)
      await untilIdle(server)
    })

    test('says what is wrong with a call', async () => {
      refused(400, /Only one of tenantId, username or path/, await recompute({ path: '/', username: 'bob' }))
      refused(400, /Invalid tenantId: a\/b/, await recompute({ tenantId: 'a/b' }))
      refused(400, /Nothing is counted by "other"/, await recompute({ updaterName: 'other' }))
      assert.equal((await recompute({ path: '/no/where' })).status, 404)
      assert.equal((await recompute({ tenantId: 'nobody' })).status, 404)
    })
  })

  describe('the properties of a folder with a quota', () => {
    const statistics = async (uid: string) => {
      const { properties } = await bench.read(uid, { properties: 'documents_size_statistics' })
      return ['innerSize', 'totalSize', 'sizeTrash', 'sizeVersions', 'maxSize'].map((name) => properties[`dss:${name}`])
    }

    test('say what it is, and now and then what is there; only the server writes them, and nobody is refused for that', async () => {
      const { uid, path } = await desk.folder(100)
      await desk.file(path, 40)
      assert.deepEqual(await statistics(uid), [0, 0, 0, 0, 100])
      const { changeToken } = await bench.read(uid)
      await server.asSystem((session) => noteOne(session, uid))
      assert.deepEqual(await statistics(uid), [0, 40, 0, 0, 100])
      const sent = { 'dss:maxSize': 5, 'dss:totalSize': 0, 'dc:title': 'written with an old token' }
      const answer = await admin().put(`/id/${uid}`, { 'entity-type': 'document', changeToken, properties: sent })
      assert.equal(requireStatus(200, answer).title, 'written with an old token')
      await call('Document.RemoveFacet', { facet: 'DocumentsSizeStatistics' }, uid)
      assert.deepEqual(await statistics(uid), [0, 40, 0, 0, 100])
      assert.ok((await bench.read(uid)).facets.includes('DocumentsSizeStatistics'))
    })

    test('are found by searches', async () => {
      const { uid } = await desk.folder(12_345)
      const query = encodeURIComponent(
        "SELECT * FROM Document WHERE dss:maxSize = 12345 AND ecm:mixinType = 'DocumentsSizeStatistics'",
      )
      const { entries } = requireStatus(200, await admin().get(`/search/lang/NXQL/execute?query=${query}`))
      assert.deepEqual(
        entries.map((one: Answered) => one.uid),
        [uid],
      )
    })

    test('go neither with a copy nor with a new document that claims them', async () => {
      const { uid } = await desk.folder(100)
      const target = await bench.create('Folder')
      const copy = requireStatus(200, await call('Document.Copy', { target: target.path }, uid))
      assert.ok(!copy.facets.includes('DocumentsSizeStatistics'))
      assert.deepEqual(await info(copy.uid), inactive)
      const body = { 'entity-type': 'document', type: 'Folder', name: 'claims', facets: ['DocumentsSizeStatistics'] }
      const made = await admin().post(`/path${target.path}`, { ...body, properties: { 'dss:maxSize': 5 } })
      assert.ok(!requireStatus(201, made).facets.includes('DocumentsSizeStatistics'))
    })
  })
})
