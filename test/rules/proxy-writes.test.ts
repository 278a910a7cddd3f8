import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { removeLegalHold, setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { bulkOn } from '../support/bulk.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefusal } from '../support/refusal.ts'
import { changesTo, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { minor, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus } from '../support/workbench.ts'

const boundary = 'a-boundary'
const aForm = {
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  body: [
    `--${boundary}`,
    'Content-Disposition: form-data; name="file"; filename="new.txt"',
    'Content-Type: text/plain',
    '',
    'new',
    `--${boundary}--`,
    '',
  ].join('\r\n'),
}

/** A proxy in bob's own folder to what others own. */
interface Scene {
  readonly target: string
  readonly proxy: string
}

onEachServer('8.7 writing through a live proxy', (server) => {
  const bench = versionBenchOn(server)
  const bulk = bulkOn(server)
  before(() => server.addUser('bob'))
  const bob = () => server.as('bob')
  const call = (operation: string, proxy: string, params: object = {}) =>
    operationsOn(server, 'bob')(operation, { input: proxy, params })

  async function createScene(targetRight: string): Promise<Scene> {
    const [target, folder] = [await bench.create('File', { 'dc:title': 'theirs' }), await bench.create('Workspace')]
    await bench.restrict(target.uid, grant('bob', targetRight))
    await bench.restrict(folder.uid, grant('bob', 'Everything'))
    return { target: target.uid, proxy: await bench.createProxy(folder.uid, target.uid) }
  }

  test('of what the proxy keeps is answered alike when it is sent again', async () => {
    const { proxy, target } = await createScene('Read')
    const put = (properties: object) => bob().put(`/id/${proxy}`, changesTo({ ...properties }), { properties: '*' })
    for (let time = 0; time < 2; time++) {
      const saved = requireStatus(
        200,
        await put({ 'notif:notifications': [{ name: 'Modification', subscribers: ['user:bob'] }] }),
      )
      assert.equal(saved.properties['notif:notifications'].length, 1)
    }
    const before = await bench.read(target)
    const again = { properties: 'notif:notifications=[{"name":"Modification","subscribers":["user:bob"]}]' }
    requireStatus(200, await call('Document.Update', proxy, again))
    assert.equal((await put({ 'dc:title': 'mine' })).status, 403)
    assert.deepEqual(await bench.read(target), before)
  })

  /** All ways to change what a proxy points to, by the door and the verb behind it. */
  const ways: { readonly [way: string]: (proxy: string, scene: Scene) => Promise<ApiAnswer> } = {
    'PUT of properties': (proxy) => bob().put(`/id/${proxy}`, changesTo({ 'dc:title': 'mine' })),
    'PUT of nothing with a version': (proxy) => bob().put(`/id/${proxy}`, changesTo({}), { 'X-Versioning-Option': 'MINOR' }),
    'PUT beside what the proxy keeps': (proxy) =>
      bob().put(
        `/id/${proxy}`,
        changesTo({ 'notif:notifications': [{ name: 'Modification', subscribers: ['user:bob'] }], 'dc:title': 'mine' }),
      ),
    'PUT of @blob': (proxy) => bob().call('PUT', `/api/v1/id/${proxy}/@blob/file:content`, aForm),
    'PUT in bulk': (proxy) => bob().put(`/bulk;id=${proxy}`, changesTo({ 'dc:title': 'mine' })),
    'an operation at the adapter @op': (proxy) =>
      bob().post(`/id/${proxy}/@op/Document.SetProperty`, { params: { xpath: 'dc:title', value: 'mine' } }),
    'Document.Update': (proxy) => call('Document.Update', proxy, { properties: 'dc:title=mine' }),
    'Document.SetProperty': (proxy) => call('Document.SetProperty', proxy, { xpath: 'dc:title', value: 'mine' }),
    'Document.ResetSchema': (proxy) => call('Document.ResetSchema', proxy, { schema: 'dublincore' }),
    'Document.AddItemToListProperty': (proxy) =>
      call('Document.AddItemToListProperty', proxy, { xpath: 'files:files', complexJsonProperties: '[]' }),
    'Document.AddFacet': (proxy) => call('Document.AddFacet', proxy, { facet: 'Thumbnail' }),
    'Document.Save': (proxy) => call('Document.Save', proxy),
    'Document.Lock': (proxy) => call('Document.Lock', proxy),
    'Document.FollowLifecycleTransition': (proxy) => call('Document.FollowLifecycleTransition', proxy, { value: 'approve' }),
    'Document.CheckIn': (proxy) => call('Document.CheckIn', proxy, { version: 'minor' }),
    'Document.CreateVersion': (proxy) => call('Document.CreateVersion', proxy, { increment: 'Major' }),
    'Document.Hold': (proxy) => call('Document.Hold', proxy),
    'Document.Retain': (proxy) => call('Document.Retain', proxy),
    'Document.CheckOut': async (proxy, { target }) => {
      if (!(await bench.row(target)).isCheckedIn) await bench.checkIn(target)
      return call('Document.CheckOut', proxy)
    },
    'Document.Unhold': async (proxy, { target }) => {
      await server.inSession('Administrator', (session) => setLegalHold(session, target))
      return call('Document.Unhold', proxy)
    },
    'Document.Unlock': async (proxy, { target }) => {
      await bench.change(target, { lock: { owner: 'carol', created: '2031-01-01T00:00:00.000Z' } })
      return call('Document.Unlock', proxy)
    },
  }

  describe('takes the right on its target, whatever the caller may do at the proxy:', () => {
    for (const [way, change] of Object.entries(ways)) {
      test(way, async () => {
        const scene = await createScene('Read')
        const asRead = await bench.read(scene.target)
        assert.equal(requireStatus(200, await bob().get(`/id/${scene.proxy}`)).title, 'theirs')
        const answer = await change(scene.proxy, scene)
        // Whoever may not take a lock away is told whose it is.
        assert.equal(answer.status, way === 'Document.Unlock' ? 409 : 403, answer.text)
        const { title, facets, state, isRecord } = await bench.read(scene.target)
        assert.deepEqual({ title, facets, state, isRecord }, only(asRead, ['title', 'facets', 'state', 'isRecord']))

        const shared = await createScene('Everything')
        const allowed = await change(shared.proxy, shared)
        assert.ok(allowed.status < 300, allowed.text)
      })
    }
  })

  test('is for bulk actions as for one document: those that may not be written stay', async () => {
    for (const [right, title, errorCount] of [
      ['Read', 'theirs', 1],
      ['ReadWrite', 'mine', 0],
    ] as const) {
      const { target, proxy } = await createScene(right)
      const query = `SELECT * FROM Document WHERE ecm:uuid = '${proxy}'`
      const parameters = JSON.stringify({ 'dc:title': 'mine' })
      const status = await bulk.ended(await bulk.start({ action: 'setProperties', query, parameters }))
      assert.deepEqual([status.processed, status.errorCount], [1, errorCount])
      assert.equal((await bench.read(target)).title, title)
    }
  })

  test('needs no more than the right at the proxy for what the proxy keeps itself', async () => {
    const { proxy } = await createScene('Read')
    requireStatus(
      200,
      await bob().put(
        `/id/${proxy}`,
        changesTo({ 'notif:notifications': [{ name: 'Modification', subscribers: ['user:bob'] }] }),
      ),
    )
  })

  test('is no way around a hold on the target', async () => {
    const { target, proxy } = await createScene('Everything')
    await server.inSession('Administrator', (session) => setLegalHold(session, target))
    const follow = () => call('Document.FollowLifecycleTransition', proxy, { value: 'approve' })
    assert.equal((await follow()).status, 403)
    await server.inSession('Administrator', (session) => removeLegalHold(session, target))
    requireStatus(200, await follow())
  })
})

onEachServer('8.7 the version that a change asks for by its source', (server) => {
  const bench = versionBenchOn(server)
  before(() => server.addUser('bob'))
  const source = { source: 'REST', properties: '*' }
  const issued = changesTo({ 'dc:issued': '2020-01-01T00:00:00.000Z' })
  const watched = changesTo({ 'notif:notifications': [{ name: 'Modification', subscribers: ['user:bob'] }] })

  /** What is published where bob may write, with a draft behind it that is newer. */
  async function createScene(...targetRights: readonly string[]) {
    const [file, section] = [await bench.create('File', { 'dc:description': 'public' }), await bench.create('Section')]
    await bench.restrict(file.uid, ...targetRights.map((right) => grant('bob', right)))
    await bench.restrict(section.uid, grant('bob', 'ReadWrite'))
    const [frozen, live] = await server.inSession('Administrator', async (session) => [
      await publishDocument(session, file.uid, section.uid),
      await createProxy(session, file.uid, section.uid),
    ])
    const draft = await bench.update(file.uid, { 'dc:description': 'secret' }, minor)
    return { file: file.uid, frozen, live, draft: draft.uid }
  }
  type Scene = Awaited<ReturnType<typeof createScene>>

  const ways: { readonly [way: string]: (scene: Scene) => Promise<ApiAnswer> } = {
    'by its id': ({ frozen }) => server.as('bob').put(`/id/${frozen.id}`, issued, source),
    'by its path': ({ frozen }) => server.as('bob').put(`/path${frozen.path}`, issued, source),
    'in bulk': ({ frozen }) => server.as('bob').put(`/bulk;id=${frozen.id}`, issued, source),
    'with what a proxy keeps': ({ frozen }) => server.as('bob').put(`/id/${frozen.id}`, watched, source),
    'when the document is gone': async ({ file, frozen, live }) => {
      for (const uid of [live.id, file]) requireStatus(204, await server.as('Administrator').delete(`/id/${uid}`))
      return server.as('bob').put(`/id/${frozen.id}`, issued, source)
    },
  }
  describe('of a publication is not told to who may not read it, who gets the publication:', () => {
    for (const [way, put] of Object.entries(ways)) {
      test(way, async () => {
        const scene = await createScene()
        const body = requireStatus(200, await put(scene))
        const shown = body.entries?.[0] ?? body
        const { uid, isVersion, properties } = shown
        assert.deepEqual([uid, isVersion, properties['dc:description']], [scene.frozen.id, false, 'public'])
      })
    }
  })
  test('of a live proxy is not told to who may not read it', async () => {
    const { live } = await createScene()
    const shown = requireStatus(200, await server.as('bob').put(`/id/${live.id}`, watched, source))
    assert.deepEqual([shown.uid, shown.isVersion], [live.id, false])
  })
  test('is told to who may read it', async () => {
    const { frozen, draft } = await createScene('Read')
    assert.equal(requireStatus(200, await server.as('bob').put(`/id/${frozen.id}`, issued, source)).uid, draft)
  })
})

onEachServer('8.7 making another live proxy', (server) => {
  const bench = versionBenchOn(server)
  before(() => server.addUser('bob'))

  /** A live proxy and one to a version, which bob may read, and a folder that is bob's own. */
  async function createScene(targetRight: string) {
    const [file, shelf, own] = [await bench.create('File'), await bench.create('Folder'), await bench.create('Workspace')]
    const { version } = await bench.checkIn(file.uid)
    const live = await bench.createProxy(shelf.uid, file.uid)
    const frozen = await bench.createProxy(shelf.uid, version.id)
    await bench.restrict(file.uid, grant('bob', targetRight))
    await bench.restrict(shelf.uid, grant('bob', 'ReadWrite'))
    await bench.restrict(own.uid, grant('bob', 'Everything'))
    return { file: file.uid, shelf: shelf.uid, own: own.uid, live, frozen }
  }
  type Made = Awaited<ReturnType<typeof createScene>>
  const asBob = <Result>(body: Parameters<typeof server.inSession<Result>>[1]) => server.inSession('bob', body)

  const ways: { readonly [way: string]: (made: Made, source: string) => Promise<unknown> } = {
    'by copying one': ({ own }, source) => asBob((session) => copyDocument(session, source, { parentId: own })),
    'from one': ({ own }, source) => asBob((session) => createProxy(session, source, own)),
    'by publishing one': ({ own }, source) => asBob((session) => publishDocument(session, source, own)),
  }
  for (const [way, make] of Object.entries(ways)) {
    test(`${way} takes Write on what it shows; one to a version takes none`, async () => {
      const made = await createScene('Read')
      await assertRefusal(make(made, made.live), 403, privilegeMissing('Write', 'bob'))
      await make(made, made.frozen)
      await bench.restrict(made.file, grant('bob', 'ReadWrite'))
      await make(made, made.live)
    })
  }
  test('from the document itself takes Write there', async () => {
    const { file, own } = await createScene('Read')
    await assertRefusal(
      asBob((session) => createProxy(session, file, own)),
      403,
      privilegeMissing('Write', 'bob'),
    )
  })
  test('a copied folder comes without the live proxies that the caller may not make', async () => {
    const { shelf, own, frozen } = await createScene('Read')
    const { id } = await asBob((session) => copyDocument(session, shelf, { parentId: own }))
    const children = await server.asSystem(async ({ tx }) => tx.documents.findAll(await tx.documents.listChildIds(id)))
    const { targetId } = await bench.row(frozen)
    assert.deepEqual(
      children.map((child) => child.targetId),
      [targetId],
    )
  })
})

onEachServer(
  'proxies where making them is not restricted',
  (server) => {
    const bench = versionBenchOn(server)
    test('8.7 take Read on the source alone, and writing through them still takes the right on the target', async () => {
      await server.addUser('alice')
      const [{ uid }, { uid: folder }] = [await bench.create('File'), await bench.create('Folder')]
      await bench.restrict(folder, grant('alice', 'Everything'))
      await bench.restrict(uid, grant('alice', 'Read'))
      const { id } = await server.inSession('alice', (session) => createProxy(session, uid, folder))
      requireStatus(403, await server.as('alice').put(`/id/${id}`, changesTo({ 'dc:title': 'no' })))
    })
  },
  { settings: { proxyCreationRestricted: false } },
)

function only(entity: { readonly [name: string]: unknown }, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, entity[name]]))
}
