import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aDocument, assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'
const minor = { 'X-Versioning-Option': 'MINOR' }
const hello = { name: 'hello.txt', 'mime-type': 'text/plain', data: 'hello' }

onEachServer(
  'changing a document',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
      const { uid } = await bench.read((await bench.create('Folder', {}, { name: 'shared' })).uid)
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('carol', 'ReadWrite')] }])
    })
    const shared = '/default-domain/workspaces/shared'
    const put = (uid: string, body: unknown, headers = {}, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, body, { ...inFull, ...headers })
    const change = async (uid: string, properties: { [name: string]: unknown }, headers = {}, user = 'Administrator') =>
      requireStatus(200, await put(uid, changesTo(properties), headers, user))

    /** All but what any change changes. */
    const untouched = ({ changeToken: _, lastModified: __, properties, ...entity }: Answered) => {
      const { 'dc:modified': ___, ...others } = properties
      return { ...entity, properties: others }
    }

    describe('writes', () => {
      test('the properties sent and leaves all others as they were, blobs included', async () => {
        const properties = { 'dc:title': 'T', 'dc:rights': 'mine', 'file:content': hello, 'dc:subjects': ['art'] }
        const created = await bench.create('File', properties, { headers: inFull })
        const changed = await change(created.uid, { 'dc:rights': 'yours' })
        const { digest, name } = changed.properties['file:content']
        assert.equal(digest, created.properties['file:content'].digest)
        assert.equal(name, 'hello.txt')
        assert.equal(changed.properties['dc:rights'], 'yours')
        assert.equal(changed.properties['dc:title'], 'T')
        assert.deepEqual(changed.properties['dc:subjects'], ['art'])
        assert.deepEqual(await bench.read(created.uid, inFull), changed)
      })
      test('nothing but null for null, and the empty text for the empty text', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'T', 'dc:rights': 'r', 'dc:source': 's' })
        const { properties } = await change(uid, { 'dc:rights': null, 'dc:source': '' })
        assert.equal(properties['dc:title'], 'T')
        assert.equal(properties['dc:rights'], null)
        assert.equal(properties['dc:source'], '')
      })
      test('null for the empty text that old clients send', async () => {
        const { uid } = await bench.create('File', { 'dc:source': 's' })
        assert.equal((await change(uid, { 'dc:source': '' }, { 'X-NXDocumentJsonLegacy': 'true' })).properties['dc:source'], null)
      })
      test('a property by the name of its schema too', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await change(uid, { 'dublincore:title': 'by schema' })).title, 'by schema')
      })
      test('through its path and below the id of its parent', async () => {
        const { uid, path, parentRef } = await bench.create('File', {}, { name: 'addressed' })
        for (const address of [`/path${path}`, `/id/${parentRef}/addressed`]) {
          const { status, body } = await server.as('Administrator').put(address, changesTo({ 'dc:title': address }))
          assert.equal(status, 200)
          assert.equal(body.uid, uid)
          assert.equal(body.title, address)
        }
      })
    })

    describe('reads of the body', () => {
      test('the properties alone: no name, type, place or state changes', async () => {
        const created = await bench.create('File', { 'dc:title': 'T' }, { headers: inFull })
        const others = {
          type: 'Folder',
          name: 'renamed',
          path: '/elsewhere',
          title: 'retitled',
          parentRef: unknownId,
          state: 'approved',
          facets: [],
          isVersion: true,
          isTrashed: true,
          isRecord: true,
          lastModified: '2001-01-01T00:00:00.000Z',
          repository: 'other',
        }
        const changed = requireStatus(200, await put(created.uid, changesTo({}, others)))
        assert.deepEqual(changed, created)
      })
      test('a type that does not exist as little as any other', async () => {
        const { uid } = await bench.create('File')
        assert.equal((await put(uid, changesTo({ 'dc:title': 'T' }, { type: 'Foo' }))).status, 200)
      })
      test('the uid, which may be missing or blank, and must be its own', async () => {
        const [one, other] = [await bench.create('File'), await bench.create('File')]
        for (const uid of [undefined, null, '', one.uid]) {
          assert.equal((await put(one.uid, changesTo({ 'dc:title': 'T' }, { uid }))).status, 200)
        }
        const mismatch = await put(one.uid, changesTo({ 'dc:title': 'no' }, { uid: other.uid }))
        assertRefused(mismatch, 400, new RegExp(`${other.uid}.*${one.uid}`))
        for (const uid of [unknownId, 'nonsense', 'a\u0000b']) {
          assertRefused(await put(one.uid, changesTo({ 'dc:title': 'no' }, { uid })), 404, uid)
        }
        assert.equal((await bench.read(one.uid)).title, 'T')
        assert.notEqual((await bench.read(other.uid)).title, 'no')
      })
      for (const properties of [undefined, null, [], 'dc:title', 1]) {
        test(`properties, of which ${JSON.stringify(properties)} are none`, async () => {
          const created = await bench.create('File', {}, { headers: inFull })
          const answer = await put(created.uid, { 'entity-type': 'document', properties })
          assert.deepEqual(requireStatus(200, answer), created)
        })
      }
      test('its own answer, fetched references and blobs included, as no change', async () => {
        const properties = {
          'dc:title': 'T',
          'dc:subjects': ['art/cinema'],
          'dc:coverage': 'europe/France',
          'file:content': hello,
        }
        const { uid } = await bench.create('File', properties)
        const answer = await bench.read(uid, {
          properties: '*',
          'fetch-document': 'properties,versionLabel,lock',
          'enrichers-document': 'acls,permissions,breadcrumb,children',
        })
        assert.equal(answer.properties['dc:creator']['entity-type'], 'user')
        assert.equal(answer.properties['dc:subjects'][0]['entity-type'], 'directoryEntry')
        const before = await bench.read(uid, inFull)
        assert.deepEqual(requireStatus(200, await put(uid, answer)), before)
      })
      test('what breaks a rule as a mistake that changes nothing', async () => {
        const created = await bench.create('Strict', { 'dc:title': 'T' }, { headers: inFull })
        const report = await put(created.uid, changesTo({ 'dc:title': 'no', 'vs:color': 'blue' }))
        assert.equal(report.status, 400)
        assert.equal(report.body['entity-type'], 'validation_report')
        assertRefused(await put(created.uid, changesTo({ 'dc:title': {} })), 400, 'Unable to deserialize property: dc:title')
        assert.deepEqual(await bench.read(created.uid, inFull), created)
      })
      test('only what changes with an eye to rules: what was broken before may stay', async () => {
        const { uid } = await bench.create('Strict')
        await bench.change(uid, { properties: { 'vs:color': 'blue' } })
        assert.equal((await change(uid, { 'dc:title': 'T' })).title, 'T')
      })
    })

    describe('that changes nothing', () => {
      test('keeps token, time and contributors', async () => {
        const created = await bench.create('File', { 'dc:title': 'T', 'dc:rights': null }, { headers: inFull })
        const same = { 'dc:title': 'T', 'dc:rights': null, 'dc:subjects': [], 'file:content': null, 'no:such': 1 }
        assert.deepEqual(await change(created.uid, same, {}, 'Administrator'), created)
        assert.deepEqual(await bench.read(created.uid, inFull), created)
      })
      test('leaves a checked-in document so', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'T' })
        await change(uid, { 'dc:rights': 'r' }, minor)
        const { isCheckedOut, versionLabel } = await change(uid, { 'dc:title': 'T' })
        assert.deepEqual([isCheckedOut, versionLabel], [false, '0.1'])
      })
    })

    describe('stamps it', () => {
      test('with the time and the contributor, who is listed once', async () => {
        const { uid, properties: created } = await bench.create(
          'Folder',
          { 'dc:title': 'T' },
          { headers: inFull, parent: shared },
        )
        for (const title of ['first', 'second']) await change(uid, { 'dc:title': title }, {}, 'bob')
        const { properties, lastModified } = await change(uid, { 'dc:title': 'third' }, {}, 'carol')
        assert.ok(properties['dc:modified'] > created['dc:modified'])
        assert.equal(lastModified, properties['dc:modified'])
        assert.equal(properties['dc:created'], created['dc:created'])
        assert.equal(properties['dc:creator'], 'Administrator')
        assert.equal(properties['dc:lastContributor'], 'carol')
        assert.deepEqual(properties['dc:contributors'], ['Administrator', 'bob', 'carol'])
      })
    })

    describe('needs', () => {
      test('the right to write properties', async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'T' })
        assertRefused(await put(uid, changesTo({ 'dc:title': 'no' }), {}, 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        assertRefused(await put(uid, changesTo({}), {}, 'bob'), 403, privilegeMissing('WriteProperties', 'bob'))
        assert.equal((await bench.read(uid)).title, 'T')
      })
      test('the right to read before that', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'WriteProperties'))
        assertRefused(await put(uid, changesTo({ 'dc:title': 'no' }), {}, 'bob'), 403, privilegeMissing('Read', 'bob'))
      })
      test('no other right', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('bob', 'Read'), grant('bob', 'WriteProperties'))
        assert.equal((await change(uid, { 'dc:title': 'bob was here' }, {}, 'bob')).title, 'bob was here')
      })
      test('the lock, while there is one, unless one is an administrator', async () => {
        const { uid } = await bench.create('File', {}, { parent: shared })
        await bench.change(uid, { lock: { owner: 'bob', created: '2031-01-01T00:00:00.000Z' } })
        const refused = await put(uid, changesTo({ 'dc:title': 'no' }), {}, 'carol')
        assertRefused(refused, 403, privilegeMissing('WriteProperties', 'carol'))
        assert.equal((await server.as('carol').get(`/id/${uid}`)).status, 200)
        assert.equal((await change(uid, { 'dc:title': 'owner' }, {}, 'bob')).lockOwner, 'bob')
        assert.equal((await change(uid, { 'dc:title': 'administrator' })).lockOwner, 'bob')
      })
      test('an administrator for properties that only administrators may set', async () => {
        const { uid } = await bench.create('Guarded', {}, { parent: shared })
        const message = 'Cannot set the value of property: grade since it is readonly'
        assertRefused(await put(uid, changesTo({ 'grd:grade': 'A' }), {}, 'bob'), 400, message)
        const answer = await server.as('bob').get(`/id/${uid}`, inFull)
        assert.equal((await put(uid, answer.body, {}, 'bob')).status, 200)
        assert.equal((await change(uid, { 'grd:grade': 'A' })).properties['grd:grade'], 'A')
      })
    })

    describe('of a checked-in document', () => {
      async function createCheckedIn(state = 'project') {
        const { uid } = await bench.create('File', { 'dc:title': 'T' })
        await change(uid, { 'dc:rights': 'r' }, minor)
        await bench.change(uid, { state })
        return uid
      }
      test('checks it out first', async () => {
        const uid = await createCheckedIn()
        assert.equal((await bench.read(uid)).isCheckedOut, false)
        const { isCheckedOut, versionLabel } = await change(uid, { 'dc:title': 'changed' })
        assert.deepEqual([isCheckedOut, versionLabel], [true, '0.1+'])
      })
      for (const state of ['approved', 'obsolete']) {
        test(`that is ${state} makes it a project again`, async () => {
          assert.equal((await change(await createCheckedIn(state), { 'dc:title': 'changed' })).state, 'project')
        })
        test(`that is ${state} leaves it so when nothing changes`, async () => {
          assert.equal((await change(await createCheckedIn(state), { 'dc:title': 'T' })).state, state)
        })
      }
      test('keeps the state of one that is checked out already', async () => {
        const { uid } = await bench.create('File')
        await bench.change(uid, { state: 'approved' })
        assert.equal((await change(uid, { 'dc:title': 'changed' })).state, 'approved')
      })
      test('needs no right to its lifecycle', async () => {
        const uid = await createCheckedIn('approved')
        await bench.restrict(uid, grant('bob', 'Read'), grant('bob', 'WriteProperties'))
        assert.equal((await change(uid, { 'dc:title': 'changed' }, {}, 'bob')).state, 'project')
      })
    })

    describe('of a version', () => {
      const versionOf = async () => {
        const { uid } = await bench.create('File', { 'dc:title': 'T', 'file:content': hello })
        return bench.update(uid, { 'dc:rights': 'r' }, { ...minor, ...inFull })
      }
      test('is accepted when it changes nothing', async () => {
        const version = await versionOf()
        assert.deepEqual(requireStatus(200, await put(version.uid, version)), version)
      })
      for (const name of ['dc:title', 'dc:description', 'dc:contributors', 'file:content', 'common:icon']) {
        test(`is refused for ${name}`, async () => {
          const version = await versionOf()
          const value = name === 'dc:contributors' ? ['bob'] : name === 'file:content' ? null : 'other'
          const message = `Cannot set property on a version: ${name}`
          assertRefused(await put(version.uid, changesTo({ [name]: value })), 400, message)
          assert.deepEqual(await bench.read(version.uid, inFull), version)
        })
      }
      test('is accepted for when it was issued', async () => {
        const version = await versionOf()
        const { properties, isVersion } = await change(version.uid, { 'dc:issued': '2031-01-01' })
        assert.equal(properties['dc:issued'], '2031-01-01T00:00:00.000Z')
        assert.equal(properties['dc:modified'], version.properties['dc:modified'])
        assert.equal(isVersion, true)
      })
    })

    describe('through a proxy', () => {
      test('to a version is refused', async () => {
        const { uid, parentRef } = await bench.create('File')
        const version = await bench.update(uid, { 'dc:title': 'T' }, minor)
        const proxy = await bench.createProxy(parentRef, version.uid)
        assertRefused(await put(proxy, changesTo({ 'dc:title': 'no' })), 400, 'Cannot set property on a version: dc:title')
      })
      test('to a live document changes that', async () => {
        const { uid, parentRef } = await bench.create('File')
        const proxy = await bench.createProxy(parentRef, uid)
        const changed = await change(proxy, { 'dc:title': 'through' })
        assert.deepEqual([changed.uid, changed.isProxy, changed.title], [proxy, true, 'through'])
        assert.equal((await bench.read(uid)).title, 'through')
      })
      test('needs the right at the place of the proxy, and on its target', async () => {
        const target = await bench.create('File', {}, { parent: shared })
        const folder = await bench.create('Folder')
        const proxy = await bench.createProxy(folder.uid, target.uid)
        assertRefused(
          await put(proxy, changesTo({ 'dc:title': 'no' }), {}, 'bob'),
          403,
          privilegeMissing('WriteProperties', 'bob'),
        )
        await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
        assert.equal((await change(proxy, { 'dc:title': 'through' }, {}, 'bob')).title, 'through')
        await bench.restrict(target.uid)
        assertRefused(
          await put(proxy, changesTo({ 'dc:title': 'no' }), {}, 'bob'),
          403,
          privilegeMissing('WriteProperties', 'bob'),
        )
      })
    })

    describe('of a record that is kept', () => {
      const kept = [{ hasLegalHold: true }, { retainUntil: '2999-01-01T00:00:00.000Z' }]
      for (const fields of kept) {
        const why = Object.keys(fields)[0]
        test(`(${why}) is accepted for what describes it and refused for its main file`, async () => {
          const { uid } = await bench.create('File', { 'file:content': hello })
          await bench.change(uid, { isRecord: true, ...fields })
          const described = await change(uid, { 'dc:title': 'described' })
          assert.equal(described.title, 'described')
          for (const content of [null, { ...hello, data: 'other' }]) {
            assertRefused(await put(uid, changesTo({ 'file:content': content })), 403, /./)
          }
          const { properties } = await bench.read(uid, inFull)
          assert.equal(properties['file:content'].digest, described.properties['file:content'].digest)
          assert.equal((await put(uid, described)).status, 200)
        })
      }
      test('no longer is accepted for its main file', async () => {
        const { uid } = await bench.create('File', { 'file:content': hello })
        await bench.change(uid, { isRecord: true, retainUntil: '2001-01-01T00:00:00.000Z' })
        assert.equal((await change(uid, { 'file:content': null })).properties['file:content'], null)
      })
    })

    test('that does not exist is answered 404, and a created one is untouched by it', async () => {
      assertRefused(await put(unknownId, changesTo({ 'dc:title': 'no' })), 404, unknownId)
      const { status } = await server.as('Administrator').put('/path/default-domain/nowhere', aDocument())
      assert.equal(status, 404)
      assert.equal((await server.as('Administrator').get('/path/default-domain/nowhere')).status, 404)
    })
    test('changes no other document', async () => {
      const [one, other] = [await bench.create('File'), await bench.create('File', {}, { headers: inFull })]
      const before = untouched(await bench.read(one.uid, inFull))
      await change(one.uid, { 'dc:rights': 'mine' })
      assert.deepEqual(untouched(await bench.read(one.uid, inFull)), {
        ...before,
        properties: { ...before.properties, 'dc:rights': 'mine' },
      })
      assert.deepEqual(await bench.read(other.uid, inFull), other)
    })
  },
  { plugins: [specimens] },
)
