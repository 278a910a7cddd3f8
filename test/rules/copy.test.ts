import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type CopyTarget, copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import type { Document } from '../../src/model/document.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { assertRefusal } from '../support/refusal.ts'
import { inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const minor = { 'X-Versioning-Option': 'MINOR' }
const lock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }
const longAgo = '2011-11-11T11:11:11.000Z'

onEachServer('copying', (server) => {
  const bench = workbenchOn(server)
  before(async () => {
    await server.addUser('bob', ['members'])
    await server.addUser('carol', ['members'])
  })
  const copy = (id: string, target: CopyTarget, user = 'Administrator') =>
    server.inSession(user, (session) => copyDocument(session, id, target))
  const trash = (uid: string) => server.inSession('Administrator', (session) => trashDocument(session, uid))
  const readRow = async (id: string): Promise<Document> => {
    const row = await server.asSystem(({ tx }) => tx.documents.find(id))
    assert.ok(row)
    return row
  }
  const listBelow = (path: string | null) => server.asSystem(({ tx }) => tx.documents.listBelow(path ?? '', undefined, 1000))
  const nameOf = ({ path }: { readonly path: string }) => path.slice(path.lastIndexOf('/') + 1)
  const dates = { 'dc:created': longAgo, 'dc:modified': longAgo, 'dc:creator': 'alice', 'dc:lastContributor': 'alice' }

  /** A file that has been through everything: versions, lock, hold, own rights, tags. */
  async function createEventful(parent: string): Promise<Answered> {
    const { uid } = await bench.create('File', { 'dc:title': 'Eventful' }, { parent })
    await bench.update(uid, { 'nxtag:tags': [{ label: 'blue', username: 'bob' }] }, minor)
    await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    const { properties } = await readRow(uid)
    await bench.change(uid, {
      state: 'approved',
      lock,
      isRecord: true,
      hasLegalHold: true,
      retainUntil: '2999-01-01T00:00:00.000Z',
      facets: ['WebView'],
      properties: { ...properties, ...dates, 'dc:contributors': ['alice', 'bob'] },
    })
    return bench.read(uid)
  }

  describe('9 a copy', () => {
    test('is another document under the name of the source', async () => {
      const [source, target] = [await bench.create('File', { 'dc:title': 'T' }), await bench.create('Folder')]
      const made = await copy(source.uid, { parentId: target.uid })
      assert.notEqual(made.id, source.uid)
      const read = await bench.read(made.id)
      assert.deepEqual([read.path, read.parentRef, read.title], [`${target.path}/${nameOf(source)}`, target.uid, 'T'])
      assert.deepEqual(await bench.read(source.uid), source)
    })
    test('is checked out, version 0.0, without versions or base version', async () => {
      const source = await createEventful((await bench.create('Folder')).path)
      assert.equal(source.isCheckedOut, false)
      const made = await copy(source.uid, { parentId: (await bench.create('Folder')).uid })
      const read = await bench.read(made.id, inFull)
      assert.deepEqual([read.isCheckedOut, read.versionLabel, read.changeToken], [true, '0.0', '0-0'])
      const row = await readRow(made.id)
      assert.deepEqual([row.baseVersionId, row.seriesId, row.isVersion], [null, null, false])
      assert.deepEqual(await server.asSystem(({ tx }) => tx.documents.listVersions(made.id)), [])
      assert.equal((await server.asSystem(({ tx }) => tx.documents.listVersions(source.uid))).length, 1)
    })
    test('keeps properties, facets, state, tags, own rights, creator and dates', async () => {
      const source = await createEventful((await bench.create('Folder')).path)
      const made = await copy(source.uid, { parentId: (await bench.create('Folder')).uid })
      const [before, after] = [await readRow(source.uid), await readRow(made.id)]
      assert.deepEqual(after.properties, before.properties)
      assert.equal(after.properties['dc:modified'], longAgo)
      assert.deepEqual([after.facets, after.state, after.acls], [['WebView'], 'approved', before.acls])
      assert.deepEqual(after.properties['nxtag:tags'], [{ label: 'blue', username: 'bob' }])
    })
    test('has no lock, is no record and is under neither retention nor hold', async () => {
      const source = await createEventful((await bench.create('Folder')).path)
      const made = await readRow((await copy(source.uid, { parentId: (await bench.create('Folder')).uid })).id)
      assert.deepEqual([made.lock, made.isRecord, made.hasLegalHold, made.retainUntil], [null, false, false, null])
      assert.deepEqual((await readRow(source.uid)).lock, lock)
      assert.equal((await server.as('Administrator').delete(`/id/${made.id}`)).status, 204)
    })
    test('of what is in the trash is not in the trash, and has its name back', async () => {
      const [source, target] = [await bench.create('File'), await bench.create('Folder')]
      await trash(source.uid)
      const made = await bench.read((await copy(source.uid, { parentId: target.uid })).id)
      assert.deepEqual([made.isTrashed, nameOf(made)], [false, nameOf(source)])
      const trashed = await bench.read(source.uid)
      assert.deepEqual([trashed.isTrashed, nameOf(trashed).endsWith('.trashed')], [true, true])
    })
    test('of a version is a live document with what the version has', async () => {
      const live = await bench.create('File', { 'dc:title': 'then' })
      const version = await bench.update(live.uid, { 'dc:description': 'd' }, minor)
      await bench.update(live.uid, { 'dc:title': 'now' })
      const target = await bench.create('Folder')
      const made = await bench.read((await copy(version.uid, { parentId: target.uid })).id, inFull)
      assert.deepEqual([made.title, made.isVersion, made.isCheckedOut, made.versionLabel], ['then', false, true, '0.0'])
      assert.equal(made.path, `${target.path}/${nameOf(live)}`)
      await bench.update(made.uid, { 'dc:title': 'changed' })
    })
    test('of a proxy is a proxy to the same target', async () => {
      const [folder, target, file] = [await bench.create('Folder'), await bench.create('Folder'), await bench.create('File')]
      const proxy = await bench.createProxy(folder.uid, file.uid, 'shown')
      const made = await bench.read((await copy(proxy, { parentId: target.uid })).id)
      assert.deepEqual([made.isProxy, made.proxyTargetId, made.path], [true, file.uid, `${target.path}/shown`])
      assert.equal((await bench.read(file.uid)).isProxy, false)
    })
    test('leaves incoming proxies with the source', async () => {
      const [target, file] = [await bench.create('Folder'), await bench.create('File')]
      const proxy = await bench.createProxy(target.uid, file.uid)
      const made = await copy(file.uid, { parentId: target.uid })
      assert.equal((await bench.read(proxy)).proxyTargetId, file.uid)
      assert.deepEqual(await server.asSystem(({ tx }) => tx.documents.listProxyIds(made.id)), [])
    })
  })

  describe('9 copying a folder', () => {
    test('copies all below it, with new ids, in the same order, and rights that fit the new place', async () => {
      const source = await bench.create('OrderedFolder')
      const children = []
      for (const name of ['c', 'a', 'b']) children.push(await bench.create('Folder', {}, { parent: source.path, name }))
      const leaf = await bench.create('File', { 'dc:title': 'leaf' }, { parent: `${source.path}/a`, name: 'leaf' })
      await bench.setAcls(`${children[1].uid}`, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      await bench.restrict(children[2].uid, grant('carol', 'Read'))
      const target = await bench.create('Folder')
      await bench.restrict(target.uid, grant('carol', 'Read'))
      const made = await copy(source.uid, { parentId: target.uid, name: 'copy' })
      const below = await listBelow(made.path)
      const short = below.map(({ path, position }) => [path?.slice(made.path?.length), position])
      assert.deepEqual(short, [
        ['/a', 1],
        ['/a/leaf', null],
        ['/b', 2],
        ['/c', 0],
      ])
      const originals = await listBelow(source.path)
      assert.equal(new Set([...below, ...originals].map(({ id }) => id)).size, 8)
      const statuses = async (user: string) =>
        Promise.all(below.map(async ({ id }) => (await server.as(user).get(`/id/${id}`)).status))
      assert.deepEqual(await statuses('bob'), [200, 200, 403, 403])
      assert.deepEqual(await statuses('carol'), [200, 200, 200, 200])
      assert.equal((await bench.read(below[1]?.id ?? '')).title, 'leaf')
      assert.deepEqual(await bench.read(leaf.uid), leaf)
    })
    test('shows the copy to queries of those, and only those, who may browse there', async () => {
      const source = await bench.create('Folder')
      await bench.create('File', {}, { parent: source.path })
      const target = await bench.create('Folder')
      await bench.restrict(target.uid, grant('carol', 'Read'))
      const made = await copy(source.uid, { parentId: target.uid })
      const seenBy = async (user: string) => (await server.as(user).get(`/path${made.path}/@children`)).body.entries?.length
      assert.deepEqual([await seenBy('carol'), await seenBy('bob')], [1, undefined])
    })
    test('copies proxies below it as proxies that keep their targets, even when those are copied too', async () => {
      const source = await bench.create('Folder')
      const inside = await bench.create('File', {}, { parent: source.path, name: 'inside' })
      await bench.createProxy(source.uid, inside.uid, 'proxy')
      const made = await copy(source.uid, { parentId: (await bench.create('Folder')).uid })
      const [file, proxy] = await listBelow(made.path)
      assert.deepEqual([file?.name, file?.isProxy, proxy?.name, proxy?.isProxy], ['inside', false, 'proxy', true])
      assert.deepEqual([proxy?.targetId, proxy?.seriesId], [inside.uid, inside.uid])
    })
    test('takes children out of the trash, under their own names where no sibling has them', async () => {
      const source = await bench.create('Folder')
      for (const name of ['free', 'taken', 'twice', 'twice']) {
        const folder = await bench.create('Folder', {}, { parent: source.path, name })
        await bench.create('File', {}, { parent: folder.path, name: 'child' })
        await trash(folder.uid)
      }
      await bench.create('File', {}, { parent: source.path, name: 'taken' })
      const made = await copy(source.uid, { parentId: (await bench.create('Folder')).uid })
      const below = await listBelow(made.path)
      const paths = below.map(({ path }) => String(path?.slice(made.path?.length)).replace(/\d{13,}/, 'then'))
      assert.deepEqual(paths, [
        '/free',
        '/free/child',
        '/taken',
        '/taken._then_.trashed',
        '/taken._then_.trashed/child',
        '/twice',
        '/twice._then_.trashed',
        '/twice._then_.trashed/child',
        '/twice/child',
      ])
      assert.deepEqual(new Set(below.map(({ isTrashed }) => isTrashed)), new Set([false]))
    })
    test('leaves out what the caller may not read, with all below it, and tells nothing of it by names', async () => {
      const source = await bench.create('Folder')
      await bench.setAcls(source.uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
      await bench.create('File', {}, { parent: source.path, name: 'open' })
      const trashed = await bench.create('File', {}, { parent: source.path, name: 'secret' })
      await trash(trashed.uid)
      const secret = await bench.create('Folder', {}, { parent: source.path, name: 'secret' })
      await bench.setAcls(secret.uid, [{ name: 'local', aces: [deny('Everyone', 'Everything')] }])
      const below = await bench.create('File', {}, { parent: secret.path, name: 'below' })
      await bench.setAcls(below.uid, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
      const target = await bench.create('Folder')
      await bench.setAcls(target.uid, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
      const made = await copy(source.uid, { parentId: target.uid }, 'bob')
      const paths = (await listBelow(made.path)).map(({ path }) => path?.slice(made.path?.length))
      assert.deepEqual(paths, ['/open', '/secret'])
      const byAdministrator = await copy(source.uid, { parentId: target.uid })
      assert.equal((await listBelow(byAdministrator.path)).length, 4)
    })
    test('may be next to itself and into what is not below it, but not under itself: 409', async () => {
      const parent = await bench.create('Folder')
      const source = await bench.create('Folder', {}, { parent: parent.path, name: 'me' })
      const inner = await bench.create('Folder', {}, { parent: source.path })
      for (const parentId of [source.uid, inner.uid]) {
        await assertRefusal(copy(source.uid, { parentId }), 409, /^Cannot copy a node under itself/)
      }
      const beside = await copy(source.uid, { parentId: parent.uid })
      assert.match(beside.name, /^me\.\d{13}$/)
      assert.equal((await listBelow(beside.path)).length, 1)
    })
    test('with ten thousand documents below it copies them all', async () => {
      const source = await bench.create('Folder')
      await server.asSystem(async ({ tx }) => {
        const row = (await tx.documents.find(source.uid)) as Document
        const child = (index: number): Document => ({
          ...row,
          id: crypto.randomUUID(),
          parentId: row.id,
          name: `n${index}`,
          path: `${row.path}/n${index}`,
        })
        await tx.documents.insertMany(Array.from({ length: 10_000 }, (_, index) => child(index)))
      })
      const made = await copy(source.uid, { parentId: (await bench.create('Folder')).uid })
      const count = await server.asSystem(({ tx }) => tx.documents.countChildren({ parentId: made.id }, 20_000))
      assert.equal(count, 10_000)
    })
  })

  describe('9 copying needs', () => {
    const rows: readonly [source: readonly string[], target: readonly string[], missing: string | undefined][] = [
      [['Read'], ['AddChildren'], undefined],
      [[], ['AddChildren'], 'Read'],
      [['ReadProperties', 'Browse'], ['AddChildren'], 'Read'],
      [['Read'], [], 'AddChildren'],
      [['Read'], ['WriteProperties', 'Remove'], 'AddChildren'],
    ]
    for (const [onSource, onTarget, missing] of rows) {
      const given = `${onSource.join(', ') || 'nothing'} on the source and ${onTarget.join(', ') || 'nothing'} on the target`
      test(`Read and AddChildren: ${given} ${missing ? `lack ${missing}` : 'will do'}`, async () => {
        const [source, target] = [await bench.create('File'), await bench.create('Folder')]
        await bench.restrict(source.uid, ...onSource.map((permission) => grant('bob', permission)))
        await bench.restrict(target.uid, ...onTarget.map((permission) => grant('bob', permission)))
        const attempt = copy(source.uid, { parentId: target.uid }, 'bob')
        if (missing === undefined) await attempt
        else await assertRefusal(attempt, 403, privilegeMissing(missing, 'bob'))
        assert.equal((await listBelow(target.path)).length, missing === undefined ? 1 : 0)
      })
    }
    test('a target that no one else has locked', async () => {
      const [source, target] = [await bench.create('File'), await bench.create('Folder')]
      await bench.restrict(target.uid, grant('bob', 'ReadWrite'))
      await bench.change(target.uid, { lock })
      await assertRefusal(copy(source.uid, { parentId: target.uid }, 'bob'), 403, privilegeMissing('AddChildren', 'bob'))
    })
    test('a source and a target that are there: 404', async () => {
      const unknown = '00000000-0000-4000-8000-000000000000'
      const file = await bench.create('File')
      await assertRefusal(copy(unknown, { parentId: file.parentRef }), 404, unknown)
      await assertRefusal(copy(file.uid, { parentId: unknown }), 404, unknown)
    })
  })

  describe('9 the name of a copy', () => {
    test('that is taken loses a number behind its last dot and gets the time', async () => {
      const target = await bench.create('Folder')
      for (const name of ['plain', 'scan.7', 'a.b.12']) await bench.create('File', {}, { parent: target.path, name })
      const source = await bench.create('File')
      const copied = async (name: string) => (await copy(source.uid, { parentId: target.uid, name })).name
      assert.match(await copied('plain'), /^plain\.\d{13}$/)
      assert.match(await copied('scan.7'), /^scan\.\d{13}$/)
      assert.match(await copied('a.b.12'), /^a\.b\.\d{13}$/)
      assert.equal(await copied('scan.8'), 'scan.8')
    })
    test('of a copy of a copy does not grow', async () => {
      const target = await bench.create('Folder')
      const source = await bench.create('File', {}, { parent: target.path, name: 'r' })
      const first = await copy(source.uid, { parentId: target.uid })
      assert.match((await copy(first.id, { parentId: target.uid })).name, /^r\.\d{13}$/)
    })
    test('may be given: with a slash it is refused with 400, empty it is a random number', async () => {
      const [source, target] = [await bench.create('File'), await bench.create('Folder')]
      await assertRefusal(copy(source.uid, { parentId: target.uid, name: 'a/b' }), 400, /slash/)
      assert.match((await copy(source.uid, { parentId: target.uid, name: '' })).name, /^[1-9]\d*$/)
      assert.equal((await copy(source.uid, { parentId: target.uid, name: 'e\u0301' })).name, '\u00e9')
    })
  })

  test('9 a copy goes to the end of a folder that keeps an order', async () => {
    const target = await bench.create('OrderedFolder')
    const source = await bench.create('File', {}, { parent: target.path })
    await bench.create('File', {}, { parent: target.path })
    assert.equal((await copy(source.uid, { parentId: target.uid })).position, 2)
  })
})
