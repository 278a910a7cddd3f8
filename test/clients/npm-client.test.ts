import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import { type Client, type ClientDocument, createClient, isClientDocument, refusalOf } from './npm-client.ts'

const workspaces = '/default-domain/workspaces'

const asTheOriginal = { settings: { vendor: 'nuxeo', basePath: '/nuxeo', repositories: ['default', 'other'] } }

onEachServer(
  'the published npm client',
  (server) => {
    let administrator: Client
    let alice: Client
    before(async () => {
      await server.addUser('alice', ['members'])
      administrator = createClient(server.url, 'Administrator')
      alice = createClient(server.url, 'alice')
    })

    const create = (name: string, properties: object = {}, type = 'File') =>
      administrator.repository().create(workspaces, { type, name, properties })

    describe('connecting', () => {
      test('gives the user and a version that the client takes for a current one', async () => {
        const client = await administrator.connect()
        assert.equal(client.connected, true)
        assert.equal(client.user.id, 'Administrator')
        assert.equal(client.user.isAdministrator, true)
        assert.equal(client.user.properties['username'], 'Administrator')
        assert.equal(client.serverVersion.gte('10.10-HF02'), true)
        assert.equal(client.serverVersion.lt('11.1'), true)
      })

      test('works for a user with few rights', async () => {
        const { user } = await alice.connect()
        assert.equal(user.id, 'alice')
        assert.equal(user.isAdministrator, false)
      })

      test('works whatever repository the client was made for', async () => {
        const client = createClient(server.url, 'alice').repositoryName('other')
        assert.equal((await client.connect()).connected, true)
      })

      for (const [who, user, password] of [
        ['a wrong password', 'alice', 'Alice'],
        ['an unknown user', 'nobody', 'nobody'],
        ['the internal user', 'system', 'system'],
      ] as const) {
        test(`is refused with ${who}`, async () => {
          const client = createClient(server.url, user, password)
          assert.deepEqual(await refusalOf(client.connect()), {
            status: 401,
            body: { 'entity-type': 'exception', status: 401, message: 'Unauthorized' },
          })
          assert.equal(client.connected, false)
        })
      }

      test('is refused outside the context root', async () => {
        const client = createClient(server.url.replace('/nuxeo/', '/'), 'alice')
        assert.equal((await refusalOf(client.connect())).status, 404)
      })
    })

    describe('fetching a document', () => {
      test('by path and by id gives the same document', async () => {
        const byPath = await administrator.repository().fetch(workspaces)
        const byId = await administrator.repository().fetch(byPath.uid)
        assert.ok(isClientDocument(byPath))
        assert.equal(byPath.type, 'WorkspaceRoot')
        assert.equal(byId.path, workspaces)
        assert.equal(byId.uid, byPath.uid)
      })

      test('gives the root for a slash', async () => {
        const root = await administrator.repository().fetch('/')
        assert.equal(root.path, '/')
        assert.equal(root.type, 'Root')
      })

      test('through a request gives a document as well', async () => {
        const document = await administrator.request('path/default-domain').get()
        assert.ok(isClientDocument(document))
        assert.equal(document.path, '/default-domain')
      })

      test('has no properties unless schemas were asked for', async () => {
        const bare = await administrator.repository().fetch(workspaces)
        const full = await administrator.repository().schemas(['dublincore']).fetch(workspaces)
        assert.deepEqual(bare.properties, {})
        assert.equal(full.get('dc:title'), 'Workspaces')
        assert.equal('common:icon' in full.properties, false)
      })

      test('with all schemas has the properties of each', async () => {
        const { uid } = await create('every schema')
        const { properties } = await administrator.repository().schemas(['*']).fetch(uid)
        for (const name of ['dc:title', 'common:icon', 'file:content', 'files:files', 'uid:major_version']) {
          assert.ok(name in properties, `${name} is missing`)
        }
      })

      test('says in its content type what it is, in words of the original', async () => {
        const response = await administrator.request('path/default-domain').get({ resolveWithFullResponse: true })
        assert.equal(response.headers.get('content-type'), 'application/json; nuxeo-entity=document')
      })
    })

    describe('writing', () => {
      test('creates a document below a path', async () => {
        const document = await create('by path', { 'dc:title': 'By path' })
        assert.ok(isClientDocument(document))
        assert.equal(document.path, `${workspaces}/by path`)
        assert.equal(document.title, 'By path')
      })

      test('creates a document below an id and shows what was asked for', async () => {
        const parent = await create('parent', {}, 'Folder')
        const repository = administrator.repository().schemas(['dublincore'])
        const child = await repository.create(parent.uid, { type: 'File', name: 'child', properties: { 'dc:title': 'Child' } })
        assert.equal(child.parentRef, parent.uid)
        assert.equal(child.get('dc:title'), 'Child')
        assert.equal(child.get('dc:creator'), 'Administrator')
      })

      test('gives a second document of the same name another one', async () => {
        const first = await create('twin')
        const second = await create('twin')
        assert.equal(first.path, `${workspaces}/twin`)
        assert.match(second.path, /\/twin\.\d{13,}$/)
      })

      test('saves only what was set, so that two users do not undo each other', async () => {
        const { uid } = await create('shared', { 'dc:title': 'first', 'dc:description': 'first' })
        const repository = administrator.repository().schemas(['dublincore'])
        const [one, other] = [await repository.fetch(uid), await repository.fetch(uid)]
        await one.set({ 'dc:title': 'second' }).save()
        const saved = await other.set({ 'dc:description': 'third' }).save()
        assert.equal(saved.get('dc:title'), 'second')
        assert.equal(saved.get('dc:description'), 'third')
      })

      test('unsets a property that is saved as null', async () => {
        const { uid } = await create('unset', { 'dc:description': 'there' })
        const document = await administrator.repository().schemas(['dublincore']).fetch(uid)
        const saved = await document.set({ 'dc:description': null }).save()
        assert.equal(saved.properties['dc:description'], null)
      })

      test('updates by the repository too', async () => {
        const { uid } = await create('updated')
        const updated = await administrator.repository().update({ uid, properties: { 'dc:title': 'Updated' } })
        assert.equal(updated.title, 'Updated')
      })

      test('gives the version that a header asked for', async () => {
        const live = await create('versioned')
        const repository = administrator.repository().fetchProperty('document', 'versionLabel')
        const document = await repository.fetch(live.uid)
        const version = await document.set({ 'dc:title': 'One' }).save({ headers: { 'X-Versioning-Option': 'MAJOR' } })
        assert.equal(version.isVersion, true)
        assert.equal(version.versionableId, live.uid)
        assert.equal(version.versionLabel, '1.0')
      })

      test('deletes', async () => {
        const { uid, path } = await create('gone')
        assert.equal((await administrator.repository().delete(path)).status, 204)
        const { status, body } = await refusalOf(administrator.repository().fetch(uid))
        assert.equal(status, 404)
        assert.equal(body.message, uid)
      })
    })

    describe('listing children', () => {
      let folder: ClientDocument
      before(async () => {
        folder = await create('listed', {}, 'Folder')
        for (const title of ['c', 'a', 'b']) {
          await administrator.repository().create(folder.uid, { type: 'File', name: title, properties: { 'dc:title': title } })
        }
      })
      const titlesOf = (page: { entries: readonly ClientDocument[] }) => page.entries.map(({ title }) => title)

      test('gives documents, by title', async () => {
        const page = await administrator.request('id').path(folder.uid).path('@children').get()
        assert.ok(page.entries.every(isClientDocument))
        assert.deepEqual(titlesOf(page), ['a', 'b', 'c'])
        assert.equal(page.resultsCount, 3)
      })

      test('gives the page and the order asked for', async () => {
        const request = administrator.request(`path${folder.path}/@children`)
        const wish = { pageSize: 2, currentPageIndex: 1, sortBy: 'dc:title', sortOrder: 'desc' }
        const page = await request.queryParams(wish).get()
        assert.deepEqual(titlesOf(page), ['a'])
        assert.deepEqual([page.resultsCount, page.numberOfPages, page.isNextPageAvailable], [-2, 0, false])
      })

      test('gives each the properties asked for', async () => {
        const page = await administrator.request(`path${folder.path}/@children`).schemas(['dublincore']).get()
        assert.deepEqual(
          page.entries.map((entry: ClientDocument) => entry.get('dc:title')),
          ['a', 'b', 'c'],
        )
      })
    })

    describe('asking for more than the document', () => {
      test('enriches it with all that was named', async () => {
        const names = [
          'permissions',
          'acls',
          'breadcrumb',
          'thumbnail',
          'preview',
          'tags',
          'favorites',
          'collections',
          'subtypes',
        ]
        const { contextParameters } = await administrator.repository().enrichers({ document: names }).fetch(workspaces)
        assert.deepEqual(Object.keys(contextParameters).sort(), names.sort())
      })

      test('adds enrichers one by one', async () => {
        const repository = administrator.repository().enricher('document', 'permissions').enricher('document', 'breadcrumb')
        const { contextParameters } = await repository.fetch(workspaces)
        assert.ok(contextParameters['permissions'].includes('Everything'))
        assert.deepEqual(
          contextParameters['breadcrumb'].entries.map((entry: ClientDocument) => entry.path),
          ['/default-domain', workspaces],
        )
      })

      test('shows properties of nested documents as deep as asked', async () => {
        const shallow = administrator.repository().schemas(['dublincore']).enricher('document', 'breadcrumb')
        const deep = administrator.repository().schemas(['dublincore']).enricher('document', 'breadcrumb').depth('children')
        const nested = (document: ClientDocument) => document.contextParameters['breadcrumb'].entries[0].properties
        assert.equal(nested(await shallow.fetch(workspaces)), undefined)
        assert.equal(nested(await deep.fetch(workspaces))['dc:title'], 'Domain')
      })

      test('puts the user in the place of its name', async () => {
        const { uid } = await create('fetched')
        const repository = administrator
          .repository()
          .schemas(['dublincore'])
          .fetchProperties({ document: ['dc:creator'] })
        const creator = (await repository.fetch(uid)).get('dc:creator')
        assert.equal(creator['entity-type'], 'user')
        assert.equal(creator.id, 'Administrator')
      })

      test('puts a directory entry with a translated label in the place of its id', async () => {
        const { uid } = await create('nature', { 'dc:nature': 'article' })
        const repository = administrator
          .repository()
          .schemas(['dublincore'])
          .fetchProperty('document', 'dc:nature')
          .translateProperty('directoryEntry', 'label')
        const nature = (await repository.fetch(uid, { headers: { 'Accept-Language': 'en' } })).get('dc:nature')
        assert.equal(nature['entity-type'], 'directoryEntry')
        assert.equal(nature.directoryName, 'nature')
        assert.equal(nature.properties.label, 'Article')
      })

      test('may send back what it fetched', async () => {
        const { uid } = await create('sent back', { 'dc:nature': 'article' })
        const repository = administrator.repository().schemas(['*']).fetchProperty('document', 'properties')
        const { properties } = await repository.fetch(uid)
        const saved = await administrator.repository().schemas(['dublincore']).update({ uid, properties })
        assert.equal(saved.get('dc:nature'), 'article')
        assert.equal(saved.get('dc:creator'), 'Administrator')
      })
    })

    describe('a fetched document', () => {
      test('knows its facets', async () => {
        const folder = await create('facets', {}, 'Folder')
        const file = await create('no folder')
        assert.equal(folder.isFolder(), true)
        assert.equal(file.isFolder(), false)
        assert.equal(file.hasFacet('Versionable'), true)
        assert.equal(file.hasFacet('Folderish'), false)
        assert.equal(file.isCollectable(), true)
        assert.equal(file.isCollection(), false)
      })

      test('that is a collection says so', async () => {
        const collection = await create('collection', {}, 'Collection')
        assert.equal(collection.isCollection(), true)
        assert.equal(collection.isCollectable(), false)
      })

      test('knows what its reader may do', async () => {
        const mine = await administrator.repository().fetch(workspaces)
        const hers = await alice.repository().fetch(workspaces)
        assert.equal(await mine.hasPermission('Write'), true)
        assert.equal(await mine.hasPermission('Foo'), false)
        assert.equal(await hers.hasPermission('Read'), true)
        assert.equal(await hers.hasPermission('Write'), false)
      })

      test('fetches its ACLs: only inherited ones until it has its own', async () => {
        const { uid } = await create('acls')
        const inherited = await (await administrator.repository().fetch(uid)).fetchACLs()
        assert.deepEqual(
          inherited.map(({ name }) => name),
          ['inherited'],
        )
        await server.asSystem((session) => setAcls(session, uid, [{ name: 'local', aces: [grant('alice', 'Write')] }]))
        const own = await (await administrator.repository().fetch(uid)).fetchACLs()
        assert.deepEqual(
          own.map(({ name }) => name),
          ['local', 'inherited'],
        )
        assert.equal(own[0]?.aces[0]?.id, 'alice:Write:true:::')
      })

      test('has no lock status unless it is locked', async () => {
        const { uid } = await create('locked')
        const document = await administrator.repository().fetch(uid)
        assert.deepEqual(await document.fetchLockStatus(), { lockOwner: undefined, lockCreated: undefined })
        const lock = { owner: 'alice', created: '2031-02-03T09:10:11.120Z' }
        await server.asSystem(async ({ tx }) => {
          const stored = await tx.documents.findForUpdate(uid)
          assert.ok(stored)
          await tx.documents.update(stored, { ...stored, lock })
        })
        assert.deepEqual(await document.fetchLockStatus(), { lockOwner: lock.owner, lockCreated: lock.created })
      })
    })
  },
  asTheOriginal,
)
