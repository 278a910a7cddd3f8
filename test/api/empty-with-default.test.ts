import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineProblem } from '../../src/base/problem.ts'
import type { Listener } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { aDocument, assertRefused, inFull, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { versionBenchOn } from '../support/version-bench.ts'
import { type Answered, requireStatus } from '../support/workbench.ts'

const recorder = createEventRecorder({ withSessionSaved: true })
const notNow = defineProblem('notNow', 'conflict', (of: { name: string }) => `no ${of.name} now`)

/** Makes of an empty document what its name asks for. */
const shaper: Listener = {
  name: 'shaper',
  when: 'inline',
  events: ['emptyDocumentModelCreated'],
  handle({ document }) {
    if (document.name === 'refused') throw notNow({ name: document.name })
    if (document.name !== 'shaped') return undefined
    const properties = { ...document.properties, 'dc:title': 'Shaped', 'grd:grade': 'A', 'thumb:thumbnail': null }
    return { ...document, facets: ['Thumbnail'], properties }
  },
}

onEachServer(
  '@emptyWithDefault',
  (server) => {
    const bench = versionBenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder', {}, { name: 'folder' })
      await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    })
    const get = (path: string, headers = {}, user = 'Administrator') => server.as(user).get(path, headers)
    const empty = async (path: string, headers = {}, user = 'Administrator') => requireStatus(200, await get(path, headers, user))

    describe('gives a document', () => {
      test('that is stored nowhere', async () => {
        const { facets, schemas, ...base } = await empty(`/id/${folder.uid}/@emptyWithDefault?type=File&name=new`)
        assert.deepEqual(base, {
          'entity-type': 'document',
          repository: 'default',
          uid: null,
          path: `${folder.path}/new`,
          type: 'File',
          state: null,
          parentRef: folder.path,
          isCheckedOut: true,
          isRecord: false,
          retainUntil: null,
          hasLegalHold: false,
          isUnderRetentionOrLegalHold: false,
          isVersion: false,
          isProxy: false,
          changeToken: null,
          isTrashed: false,
          title: 'new',
        })
        assert.ok(facets.includes('Versionable'))
        assert.ok(schemas.some(({ name, prefix }: { name: string; prefix: string }) => name === 'dublincore' && prefix === 'dc'))
        const { body } = await get(`/id/${folder.uid}/@children`)
        assert.deepEqual(body.entries, [])
      })
      const rows: readonly [where: string, query: string, path: string | null, parentRef: string | null, title: string][] = [
        [
          '/path/default-domain/workspaces/folder',
          'name=new',
          '/default-domain/workspaces/folder/new',
          '/default-domain/workspaces/folder',
          'new',
        ],
        [
          '/path/default-domain/workspaces/folder',
          '',
          '/default-domain/workspaces/folder/null',
          '/default-domain/workspaces/folder',
          '',
        ],
        ['/path', 'name=new', '/new', '/', 'new'],
        ['/path/', '', '/null', '/', ''],
        ['', 'name=new', 'new', null, 'new'],
        ['', '', null, null, ''],
        ['', 'name=a%20b%2Bc', 'a b+c', null, 'a b+c'],
        ['/repo/default', 'name=new', 'new', null, 'new'],
      ]
      for (const [where, query, path, parentRef, title] of rows) {
        test(`at ${path} when asked at ${where || 'the API itself'} ${query ? `with ${query}` : 'without a name'}`, async () => {
          const document = await empty(`${where}/@emptyWithDefault?type=Folder&${query}`)
          assert.deepEqual([document.path, document.parentRef, document.title], [path, parentRef, title])
          assert.equal(document.uid, null)
        })
      }
      test('below the live document when asked at a version of it', async () => {
        const { uid, path } = await bench.create('File')
        const { version } = await bench.checkIn(uid)
        const document = await empty(`/id/${version.id}/@emptyWithDefault?type=Note&name=new`)
        assert.deepEqual([document.path, document.parentRef], [`${path}/new`, path])
      })
      test('with the default values of its schemas, and what is unset as null, no items, or nulls', async () => {
        const { properties } = await empty('/@emptyWithDefault?type=Filled', inFull)
        assert.equal(properties['filled:word'], 'given')
        assert.equal(properties['filled:number'], 7)
        assert.deepEqual(properties['filled:words'], ['one', 'two'])
        assert.deepEqual(properties['filled:part'], { name: 'part', remark: null })
        assert.equal(properties['dc:title'], null)
        assert.equal(properties['dc:created'], null)
        assert.equal(properties['dc:creator'], null)
        assert.deepEqual(properties['dc:contributors'], [])
        assert.equal(properties['file:content'], null)
        const specimen = (await empty('/@emptyWithDefault?type=Specimen', inFull)).properties
        assert.deepEqual(specimen['spc:address'], { street: null, city: null, since: null })
      })
      test('with the schemas that are asked for and no others', async () => {
        assert.ok(!('properties' in (await empty('/@emptyWithDefault?type=File'))))
        const { properties } = await empty('/@emptyWithDefault?type=File&properties=file')
        assert.deepEqual(properties, { 'file:content': null })
      })
      test('with what listeners set', async () => {
        const { properties } = await empty('/@emptyWithDefault?type=Prefilled', inFull)
        assert.equal(properties['spc:text'], 'by the listener')
        assert.deepEqual(properties['spc:words'], ['by', 'listener'])
      })
      test('without what the caller may not write', async () => {
        const path = `/id/${folder.uid}/@emptyWithDefault?type=Guarded`
        const { properties } = await empty(path, inFull, 'bob')
        assert.ok(!('grd:grade' in properties))
        assert.equal(properties['grd:remark'], null)
        assert.equal((await empty(path, inFull)).properties['grd:grade'], 'C')
      })
      test('to whoever may read the parent, though not add to it', async () => {
        const { uid } = await bench.create('Folder')
        assert.equal((await empty(`/id/${uid}/@emptyWithDefault?type=File`, {}, 'bob')).type, 'File')
      })
    })

    describe('lets listeners', () => {
      const rows: readonly [where: string, parentPath: string | null, query: string, destinationName: string | null][] = [
        ['', null, 'type=File', null],
        ['', null, 'type=File&name=new', 'new'],
        ['/path', '/', 'type=File&name=new', 'new'],
        ['/path/default-domain/workspaces', '/default-domain/workspaces', 'type=File', null],
      ]
      for (const [where, parentPath, query, destinationName] of rows) {
        test(`know where it would be: ${where || 'nowhere in particular'} with ${query}`, async () => {
          const events = await recorder.eventsOf(() => empty(`${where}/@emptyWithDefault?${query}`, {}, 'bob'))
          assert.deepEqual(
            events.map(({ name, properties }) => [name, properties]),
            [['emptyDocumentModelCreated', { parentPath, documentModelId: null, destinationName }]],
          )
          const [event] = events
          assert.deepEqual([event?.principal.name, event?.category], ['bob', 'eventDocumentCategory'])
        })
      }
      test('set its facets, title and properties, secured ones for those who may see them', async () => {
        const path = `/id/${folder.uid}/@emptyWithDefault?type=Guarded&name=shaped`
        const shaped = await empty(path, inFull)
        assert.equal(shaped.title, 'Shaped')
        assert.ok(shaped.facets.includes('Thumbnail'))
        assert.ok(shaped.schemas.some(({ name }: { name: string }) => name === 'thumbnail'))
        assert.deepEqual([shaped.properties['grd:grade'], shaped.properties['thumb:thumbnail']], ['A', null])
        assert.ok(!('grd:grade' in (await empty(path, inFull, 'bob')).properties))
      })
      test('refuse it, or break it, and nothing is there', async () => {
        assertRefused(await get('/@emptyWithDefault?type=File&name=refused'), 409, 'no refused now')
        const broken = await recorder.failingAt('emptyDocumentModelCreated', new Error('broken'), () =>
          get('/@emptyWithDefault?type=File'),
        )
        assert.equal(broken.status, 500)
        assert.doesNotMatch(broken.text, /broken/)
      })
    })

    describe('is asked with enrichers of which', () => {
      const names = [
        'acls',
        'permissions',
        'userVisiblePermissions',
        'breadcrumb',
        'children',
        'hasFolderishChild',
        'hasContent',
        'subtypes',
        'firstAccessibleAncestor',
        'thumbnail',
        'preview',
        'documentURL',
        'renditions',
        'tags',
        'favorites',
        'collections',
        'publications',
        'audit',
        'subscribedNotifications',
        'pendingTasks',
        'runningWorkflows',
        'runnableWorkflows',
        'highlight',
        'relations',
      ]
      for (const type of ['File', 'Folder', 'Collection']) {
        test(`none fails on a ${type}`, async () => {
          for (const where of ['', `/id/${folder.uid}`]) {
            const { uid } = await empty(`${where}/@emptyWithDefault?type=${type}`, { 'enrichers-document': names.join(',') })
            assert.equal(uid, null)
          }
        })
      }
      test('those that need a stored document write nothing', async () => {
        const headers = {
          'enrichers-document': 'permissions,breadcrumb,firstAccessibleAncestor,tags,publications,renditions,relations',
        }
        const { contextParameters } = await empty(`/id/${folder.uid}/@emptyWithDefault?type=File`, headers)
        assert.deepEqual(contextParameters, {})
      })
    })

    describe('refuses', () => {
      for (const query of ['', '?type=', '?type=%20', '?name=x']) {
        test(`to guess the type: ${query || 'nothing asked'}`, async () => {
          for (const where of ['', `/id/${folder.uid}`]) {
            assertRefused(await get(`${where}/@emptyWithDefault${query}`), 400, 'Missing type parameter')
          }
        })
      }
      for (const type of ['Foo', 'file']) {
        test(`a type that does not exist: ${type}`, async () => {
          for (const where of ['', `/id/${folder.uid}`]) {
            const answer = await get(`${where}/@emptyWithDefault?type=${type}`)
            assertRefused(answer, 400, `${type} is not a registered core type`)
          }
        })
      }
      test('a parent that may not be read or does not exist, whatever else is wrong', async () => {
        const { uid } = await bench.create('Folder')
        await bench.restrict(uid)
        for (const query of ['?type=File', '?type=Foo', '']) {
          assertRefused(await get(`/id/${uid}/@emptyWithDefault${query}`, {}, 'bob'), 403, privilegeMissing('Read', 'bob'))
          assertRefused(await get(`/path/nowhere/@emptyWithDefault${query}`), 404, '/nowhere')
        }
      })
      test('a list for a parent', async () => {
        const message = "Adapter 'emptyWithDefault' cannot be applied to resource of type Documents"
        assertRefused(await get(`/path/@children/@emptyWithDefault?type=File`), 400, message)
      })
    })

    describe('gives what can be posted back', () => {
      for (const type of [
        'File',
        'Note',
        'Folder',
        'Workspace',
        'Picture',
        'Filled',
        'Guarded',
        'Prefilled',
        'Specimen',
        'Referring',
      ]) {
        test(`as a ${type}`, async () => {
          const form = await empty(`/id/${folder.uid}/@emptyWithDefault?type=${type}`, { properties: '*' }, 'bob')
          const filled = { ...form, name: `my ${type}`, properties: { ...form.properties, 'dc:title': 'Mine' } }
          const answer = await server.as('bob').post(`/id/${folder.uid}`, filled, inFull)
          const created = requireStatus(201, answer)
          assert.equal(created.path, `${folder.path}/my ${type}`)
          assert.equal(created.title, 'Mine')
          assert.equal(created.type, type)
          assert.deepEqual(created.properties['dc:contributors'], ['bob'])
        })
      }
      test('with the values of a listener kept where nothing is said, and taken back by null', async () => {
        const kept = requireStatus(
          201,
          await server.as('bob').post(`/id/${folder.uid}`, aDocument({ type: 'Prefilled' }), inFull),
        )
        assert.equal(kept.properties['spc:text'], 'by the listener')
        const form = await empty(`/id/${folder.uid}/@emptyWithDefault?type=Prefilled`, { properties: '*' }, 'bob')
        const cleared = { ...form, name: 'cleared', properties: { ...form.properties, 'spc:text': null, 'spc:words': null } }
        const created = requireStatus(201, await server.as('bob').post(`/id/${folder.uid}`, cleared, inFull))
        assert.equal(created.properties['spc:text'], null)
        assert.deepEqual(created.properties['spc:words'], [])
      })
    })
  },
  { plugins: [specimens, recorder.plugin, definePlugin({ name: 'shaping', listeners: [shaper] })] },
)
