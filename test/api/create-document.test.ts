import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aDocument, assertRefused, changesTo, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const workspaces = '/default-domain/workspaces'
const unknownId = '00000000-0000-4000-8000-000000000000'

onEachServer(
  'creating a document',
  (server) => {
    const bench = workbenchOn(server)
    let folder = ''
    let folderPath = ''
    before(async () => {
      await server.addUser('bob', ['members'])
      const created = await bench.create('Folder', {}, { name: 'folder' })
      folder = created.uid
      folderPath = created.path
      await bench.setAcls(folder, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    })
    const post = (body: unknown, headers = {}, user = 'Administrator') =>
      server.as(user).post(`/path${folderPath}`, body, { ...inFull, ...headers })
    const createIn = async (body: object, headers = {}, user = 'Administrator') =>
      requireStatus(201, await post(aDocument(body as { [field: string]: unknown }), headers, user))
    const listNames = async () => {
      const { body } = await server.as('Administrator').get(`/path${folderPath}/@children?pageSize=0`)
      return body.entries.map((entry: { path: string }) => entry.path.slice(folderPath.length + 1))
    }

    test('gives it the place, name, type and properties that were asked for, and a first state', async () => {
      const created = await createIn({ name: 'first', properties: { 'dc:title': 'First', 'dc:description': ' \n ' } })
      assert.equal(created.path, `${folderPath}/first`)
      assert.equal(created.parentRef, folder)
      assert.equal(created.type, 'File')
      assert.equal(created.title, 'First')
      assert.equal(created.properties['dc:description'], ' \n ')
      assert.equal(created.state, 'project')
      assert.equal(created.isCheckedOut, true)
      assert.equal(created.versionLabel, '0.0')
      assert.deepEqual(await bench.read(created.uid, inFull), created)
    })
    test('below the id of the parent is the same as below its path', async () => {
      const created = await server.as('Administrator').post(`/id/${folder}`, aDocument({ name: 'by id' }))
      assert.equal(created.status, 201)
      assert.equal(created.body.path, `${folderPath}/by id`)
    })
    test('never takes the name from the title', async () => {
      const created = await createIn({ name: 'the name', properties: { 'dc:title': 'The title' } })
      assert.equal(created.path, `${folderPath}/the name`)
    })

    describe('needs a body whose', () => {
      const missing = 'type or name property is missing'
      const rows: readonly [what: string, body: object, message: string][] = [
        ['type is there', { type: undefined }, missing],
        ['type is not null', { type: null }, missing],
        ['type is not blank', { type: '  ' }, missing],
        ['type is text', { type: 1 }, missing],
        ['name is there', { name: undefined }, missing],
        ['name is not null', { name: null }, missing],
        ['name is not empty', { name: '' }, missing],
        ['name is not blank', { name: ' \t ' }, missing],
        ['name is there even if there is a title', { name: undefined, properties: { 'dc:title': 'T' } }, missing],
        ['type exists', { type: 'Foo' }, 'Type: Foo does not exist'],
        ['type is spelled right', { type: 'file' }, 'Type: file does not exist'],
      ]
      for (const [what, given, message] of rows) {
        test(`${what}: else it is refused and nothing is created`, async () => {
          const names = await listNames()
          assertRefused(await post({ ...aDocument(), ...given }), 400, message)
          assert.deepEqual(await listNames(), names)
        })
      }
      for (const properties of [null, [], ['dc:title'], 'dc:title', 1, true]) {
        test(`properties are an object: ${JSON.stringify(properties)} is as good as none`, async () => {
          const { title, path } = await createIn({ properties })
          assert.equal(title, path.slice(folderPath.length + 1))
        })
      }
      test('other fields are for show and not read', async () => {
        const created = await createIn({
          name: 'shown',
          title: 'not me',
          path: '/elsewhere',
          parentRef: unknownId,
          state: 'approved',
          changeToken: '7-7',
          facets: ['HiddenInNavigation'],
          isVersion: true,
          isTrashed: true,
          isRecord: true,
          isCheckedOut: false,
          lockOwner: 'bob',
          lastModified: '2001-01-01T00:00:00.000Z',
          contextParameters: { acls: [] },
          repository: 'other',
          anything: { else: 1 },
        })
        assert.equal(created.title, 'shown')
        assert.equal(created.path, `${folderPath}/shown`)
        assert.equal(created.parentRef, folder)
        assert.equal(created.state, 'project')
        assert.equal(created.changeToken, '0-0')
        assert.ok(!created.facets.includes('HiddenInNavigation'))
        assert.deepEqual(
          [created.isVersion, created.isTrashed, created.isRecord, created.isCheckedOut],
          [false, false, false, true],
        )
        assert.equal(created.lockOwner, undefined)
        assert.equal(created.repository, 'default')
      })
    })

    describe('with the uid of another document', () => {
      test('takes type and name from it, and only the properties sent', async () => {
        const original = await bench.create('Note', { 'dc:title': 'Original', 'dc:rights': 'mine' }, { name: 'original' })
        const created = await createIn({
          uid: original.uid,
          type: 'File',
          name: 'ignored',
          properties: { 'dc:title': 'Copy' },
        })
        assert.equal(created.type, 'Note')
        assert.equal(created.path, `${folderPath}/original`)
        assert.notEqual(created.uid, original.uid)
        assert.equal(created.title, 'Copy')
        assert.equal(created.properties['dc:rights'], null)
        assert.equal((await bench.read(original.uid)).title, 'Original')
      })
      test('needs neither type nor name', async () => {
        const original = await bench.create('Folder', {}, { name: 'plain' })
        const created = requireStatus(201, await post({ 'entity-type': 'document', uid: original.uid }))
        assert.equal(created.type, 'Folder')
        assert.equal(created.path, `${folderPath}/plain`)
      })
      test('that is in the trash takes its name from before that', async () => {
        const original = await createIn({ name: 'thrown away' })
        requireStatus(
          200,
          await server.as('Administrator').post('/automation/Document.Trash', { input: original.uid, params: {} }),
        )
        const trashed = await bench.read(original.uid, inFull)
        assert.ok(trashed.path.endsWith('_.trashed'))
        const created = requireStatus(201, await post(trashed))
        assert.deepEqual([created.path, created.isTrashed], [`${folderPath}/thrown away`, false])
        assert.equal((await bench.read(original.uid)).isTrashed, true)
      })
      test('can repeat the answer of a GET', async () => {
        const original = await createIn({ name: 'repeated', properties: { 'dc:title': 'Again', 'dc:subjects': ['art'] } })
        const created = requireStatus(201, await post(await bench.read(original.uid, inFull)))
        assert.match(created.path, /\/repeated\.\d{13}$/)
        assert.equal(created.title, 'Again')
        assert.deepEqual(created.properties['dc:subjects'], ['art'])
      })
      test('that does not exist is answered 404', async () => {
        for (const uid of [unknownId, 'nonsense', 'a\u0000b']) assertRefused(await post(aDocument({ uid })), 404, uid)
      })
      test('that may not be read is answered 403', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid)
        assertRefused(await post(aDocument({ uid }), {}, 'bob'), 403, privilegeMissing('Read', 'bob'))
      })
      for (const uid of [null, '', '  ']) {
        test(`that is ${JSON.stringify(uid)} is as without`, async () => {
          const name = `without ${JSON.stringify(uid)}`
          assert.equal((await createIn({ uid, name })).path, `${folderPath}/${name}`)
        })
      }
    })

    describe('makes of the name', () => {
      const rows: readonly [name: string, segment: string | RegExp][] = [
        ['  trimmed \t', 'trimmed'],
        ['annual-report-2026-final.pdf', 'annual-report-2026-final.pdf'],
        ['y'.repeat(300), 'y'.repeat(255)],
        [`${'x'.repeat(254)} cut and trimmed`, 'x'.repeat(254)],
        [`   ${'trimmed before it is cut '.repeat(20)}`, 'trimmed before it is cut '.repeat(20).slice(0, 255)],
        ['a/b\\c', 'a-b-c'],
        ['/leading', '-leading'],
        ['My  Report/2024', 'My  Report-2024'],
        ['CaSe and Éàü', 'CaSe and Éàü'],
        ['null', 'null'],
        ['😀'.repeat(200), '😀'.repeat(127)],
        ['con\u0000trol\u200b', 'control'],
        ['...', /^[1-9]\d{0,18}$/],
        ['- .,;?!:/\\\'"', /^[1-9]\d{0,18}$/],
        ['/', /^[1-9]\d{0,18}$/],
        ['..', /^[1-9]\d{0,18}$/],
      ]
      for (const [name, segment] of rows) {
        test(`${JSON.stringify(name)} ${typeof segment === 'string' ? segment : 'a number'}`, async () => {
          const created = await createIn({ name })
          const made = created.path.slice(folderPath.length + 1)
          if (typeof segment === 'string') assert.equal(made, segment)
          else assert.match(made, segment)
        })
      }
      test('that another child has, the same with the time behind it, and never a conflict', async () => {
        const before = Date.now()
        await createIn({ name: 'taken', type: 'Folder' })
        const others = await Promise.all([1, 2, 3, 4].map(() => createIn({ name: 'taken' })))
        const paths = others.map((other) => other.path)
        assert.equal(new Set(paths).size, 4)
        for (const path of paths) {
          const [, millis] = /^.*\/taken\.(\d{13})$/.exec(path) ?? []
          assert.ok(Number(millis) >= before && Number(millis) < Date.now() + 60_000, path)
        }
      })
      test('that a proxy has, the same with the time behind it', async () => {
        const target = await bench.create('File')
        await bench.createProxy(folder, target.uid, 'shown here')
        assert.match((await createIn({ name: 'shown here' })).path, /\/shown here\.\d{13}$/)
      })
      test('that a child of another folder has, the very same', async () => {
        await bench.create('File', {}, { name: 'only there' })
        assert.equal((await createIn({ name: 'only there' })).path, `${folderPath}/only there`)
      })
      test('that differs from another by case, the very same', async () => {
        await createIn({ name: 'case' })
        assert.equal((await createIn({ name: 'CASE' })).path, `${folderPath}/CASE`)
      })
    })

    describe('fills in', () => {
      test('the default values of its schemas', async () => {
        const { properties } = await createIn({ type: 'Filled' })
        assert.equal(properties['filled:word'], 'given')
        assert.equal(properties['filled:number'], 7)
        assert.deepEqual(properties['filled:words'], ['one', 'two'])
      })
      test('the default values again where null is sent', async () => {
        const sent = { 'filled:word': null, 'filled:number': null, 'filled:words': null }
        const { properties } = await createIn({ type: 'Filled', properties: sent })
        assert.equal(properties['filled:word'], 'given')
        assert.equal(properties['filled:number'], 7)
        assert.deepEqual(properties['filled:words'], ['one', 'two'])
      })
      test('nothing where a value is sent', async () => {
        const sent = { 'filled:word': '', 'filled:number': 0, 'filled:words': ['three'] }
        const { properties } = await createIn({ type: 'Filled', properties: sent })
        assert.equal(properties['filled:word'], '')
        assert.equal(properties['filled:number'], 0)
        assert.deepEqual(properties['filled:words'], ['three'])
      })
      test('what listeners of the empty document set', async () => {
        const { properties } = await createIn({ type: 'Prefilled' })
        assert.equal(properties['spc:text'], 'by the listener')
        assert.deepEqual(properties['spc:words'], ['by', 'listener'])
      })
      test('no value of a listener where a value or null is sent', async () => {
        const { properties } = await createIn({ type: 'Prefilled', properties: { 'spc:text': null, 'spc:words': ['mine'] } })
        assert.equal(properties['spc:text'], null)
        assert.deepEqual(properties['spc:words'], ['mine'])
      })
      test('who created it and when', async () => {
        const start = new Date().toISOString()
        const { properties, lastModified } = await createIn({ name: 'stamped' }, {}, 'bob')
        assert.ok(properties['dc:created'] >= start && properties['dc:created'] <= new Date().toISOString())
        assert.equal(properties['dc:modified'], properties['dc:created'])
        assert.equal(lastModified, properties['dc:created'])
        assert.equal(properties['dc:creator'], 'bob')
        assert.equal(properties['dc:lastContributor'], 'bob')
        assert.deepEqual(properties['dc:contributors'], ['bob'])
      })
      test('the caller beside the contributors that were sent, and keeps a creator that was sent', async () => {
        const sent = {
          'dc:creator': 'alice',
          'dc:contributors': ['bob'],
          'dc:lastContributor': 'alice',
          'dc:created': '2001-01-01',
          'dc:modified': '2001-01-01',
        }
        const { properties } = await createIn({ properties: sent })
        assert.equal(properties['dc:creator'], 'alice')
        assert.deepEqual(properties['dc:contributors'], ['bob', 'Administrator'])
        assert.equal(properties['dc:lastContributor'], 'Administrator')
        assert.notEqual(properties['dc:created'], '2001-01-01T00:00:00.000Z')
        assert.equal(properties['dc:modified'], properties['dc:created'])
      })
    })

    describe('with properties', () => {
      const ignored = ['no:such', 'dc:nosuch', 'title', 'note:note', 'file:content/name', 'spc:rows/0/label', 'entity-type']
      for (const name of ignored) {
        test(`such as ${name}, that it has no place for, ignores them`, async () => {
          const { title, properties } = await createIn({ properties: { 'dc:title': 'kept', [name]: 'lost' } })
          assert.equal(title, 'kept')
          assert.ok(!(name in properties))
        })
      }
      const wrong: readonly [name: string, value: unknown][] = [
        ['dc:title', {}],
        ['dc:title', ['a']],
        ['dc:created', 'yesterday'],
        ['dc:subjects', 'art'],
        ['spc:count', 'many'],
        ['spc:count', 1.5],
        ['spc:address', 'Main Street'],
      ]
      for (const [name, value] of wrong) {
        test(`such as ${name} ${JSON.stringify(value)}, of another kind, is refused`, async () => {
          const names = await listNames()
          const answer = await post(aDocument({ type: 'Specimen', properties: { [name]: value } }))
          assertRefused(answer, 400, `Unable to deserialize property: ${name}`)
          assert.deepEqual(await listNames(), names)
        })
      }
      test('that only administrators may set is refused to others', async () => {
        const guarded = { type: 'Guarded', properties: { 'grd:grade': 'A' } }
        const message = 'Cannot set the value of property: grade since it is readonly'
        assertRefused(await post(aDocument(guarded), {}, 'bob'), 400, message)
        assert.equal((await createIn(guarded)).properties['grd:grade'], 'A')
        const others = { type: 'Guarded', properties: { 'grd:remark': 'fine' } }
        assert.equal((await createIn(others, {}, 'bob')).properties['grd:remark'], 'fine')
      })
      test('that break a rule is refused with a report, and nothing is created', async () => {
        const names = await listNames()
        const { status, body } = await post(aDocument({ type: 'Strict', properties: { 'vs:color': 'blue' } }))
        assert.equal(status, 400)
        assert.equal(body['entity-type'], 'validation_report')
        assert.deepEqual(
          body.violations.map((one: { path: object[] }) => one.path),
          [[{ field_name: 'vs:color', is_list_item: false }]],
        )
        assert.deepEqual(await listNames(), names)
      })
      test('that are needed and missing is refused, whatever was sent', async () => {
        const { status, body } = await post(aDocument({ type: 'Mandatory', properties: { 'dc:title': 'T' } }))
        assert.equal(status, 400)
        const violated = body.violations.map((one: { path: { field_name: string }[] }) => one.path[0]?.field_name)
        assert.deepEqual(violated.sort(), ['man:code', 'man:parts', 'man:size'])
      })
      test('that hold characters nobody sees leaves those out', async () => {
        const sent = { 'dc:title': 'a\u0000b\u0001c\u007fd\u200be', 'dc:description': 'tab\tline\nend\r' }
        const { properties } = await createIn({ properties: sent })
        assert.equal(properties['dc:title'], 'abcde')
        assert.equal(properties['dc:description'], 'tab\tline\nend\r')
      })
    })

    describe('below', () => {
      test('a document that may be read but not added to is refused', async () => {
        const { uid } = await bench.create('Folder')
        const answer = await server.as('bob').post(`/id/${uid}`, aDocument({ name: 'no' }))
        assertRefused(answer, 403, privilegeMissing('AddChildren', 'bob'))
        assert.equal((await server.as('Administrator').get(`/id/${uid}/no`)).status, 404)
      })
      test('a document to which bob may only add children is allowed to him', async () => {
        const { uid } = await bench.create('Folder')
        await bench.restrict(uid, grant('bob', 'Read'), grant('bob', 'AddChildren'))
        assert.equal((await server.as('bob').post(`/id/${uid}`, aDocument())).status, 201)
      })
      test('nothing is answered 404', async () => {
        const administrator = server.as('Administrator')
        assertRefused(await administrator.post(`/path${folderPath}/no/where`, aDocument()), 404, `${folderPath}/no/where`)
        assertRefused(await administrator.post(`/id/${unknownId}`, aDocument()), 404, unknownId)
      })
      test('a version is refused', async () => {
        const { uid } = await bench.create('File')
        const version = await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        const answer = await server.as('Administrator').post(`/id/${version.uid}`, aDocument())
        assertRefused(answer, 400, /is a version and cannot have children/)
      })
      test('a document that is no folder, or not meant for its type, is allowed', async () => {
        const file = await bench.create('File')
        const below = await bench.create('Domain', {}, { parent: file.path, name: 'domain' })
        assert.equal(below.path, `${file.path}/domain`)
      })
      test('a folder that someone else locked is refused, but not to who locked it or to administrators', async () => {
        const { uid } = await bench.create('Folder')
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('carol', 'ReadWrite')] }])
        await server.addUser('carol', ['members'])
        await bench.change(uid, { lock: { owner: 'bob', created: '2031-01-01T00:00:00.000Z' } })
        const as = (user: string) => server.as(user).post(`/id/${uid}`, aDocument())
        assertRefused(await as('carol'), 403, privilegeMissing('AddChildren', 'carol'))
        assert.equal((await as('bob')).status, 201)
        assert.equal((await as('Administrator')).status, 201)
      })
    })

    test('without permission tells nothing about what was sent', async () => {
      const answer = await server.as('bob').post(`/path${workspaces}`, aDocument({ properties: { 'dc:title': {} } }))
      assertRefused(answer, 403, privilegeMissing('AddChildren', 'bob'))
    })
    test('then changing it gives the same document', async () => {
      const { uid } = await createIn({ type: 'Specimen' })
      const changed = requireStatus(
        200,
        await server.as('Administrator').put(`/id/${uid}`, changesTo({ 'spc:count': 3 }), inFull),
      )
      assert.equal(changed.uid, uid)
      assert.equal(changed.properties['spc:count'], 3)
    })
  },
  { plugins: [specimens] },
)
