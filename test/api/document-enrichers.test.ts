import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { getOrCreateUserWorkspace } from '../../src/features/user-workspaces/index.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { aStoredChild } from '../support/stored-document.ts'
import { type Answered, requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

onEachServer(
  'the enricher',
  (server) => {
    const bench = workbenchOn(server)

    before(() => server.addUser('alice', ['members']))

    /** What one enricher says about a document to somebody. */
    async function ask(name: string, uid: string, user = 'Administrator', headers = {}): Promise<Answered> {
      const answer = await server.as(user).get(`/id/${uid}`, { 'enrichers.document': name, ...headers })
      return requireStatus(200, answer).contextParameters[name]
    }

    const pathsOf = (list: Answered) => list.entries.map(({ path }: Answered) => path)
    const uidOf = async (path: string) => requireStatus(200, await server.as('Administrator').get(`/path${path}`)).uid
    const plainList = ['entity-type', 'totalSize', 'entries']

    describe('permissions', () => {
      const ofRead = ['Browse', 'ReadChildren', 'ReadLifeCycle', 'ReviewParticipant', 'ReadSecurity', 'ReadVersion']
      const ofWrite = ['WriteProperties', 'AddChildren', 'RemoveChildren', 'ManageWorkflows', 'WriteLifeCycle']
      const grants = [
        { permission: 'Read', gives: [...ofRead, 'ReadProperties', 'Read'] },
        { permission: 'Write', gives: [...ofWrite, 'WriteVersion', 'Remove', 'Write'] },
        {
          permission: 'ReadWrite',
          gives: [...ofRead, 'ReadProperties', 'Read', ...ofWrite, 'WriteVersion', 'Remove', 'Write', 'ReadWrite'],
        },
        { permission: 'Version', gives: ['ReadVersion', 'WriteProperties', 'WriteVersion', 'Version'] },
        { permission: 'Remove', gives: ['RemoveChildren', 'WriteLifeCycle', 'Remove'] },
        { permission: 'Unlock', gives: ['Unlock'] },
      ]
      for (const { permission, gives } of grants) {
        test(`lists all that ${permission} gives beside Read, compounds only where one around them is granted`, async () => {
          const { uid } = await bench.create('File')
          await bench.restrict(uid, grant('alice', permission), grant('alice', 'Read'))
          const granted = await ask('permissions', uid, 'alice')
          assert.deepEqual(granted.toSorted(), [...new Set([...ofRead, 'ReadProperties', 'Read', ...gives])].sort())
        })
      }

      test('lists every declared permission for an administrator', async () => {
        const { uid } = await bench.create('File')
        const declared = server.services.repositories.get('default')?.model.permissions.names
        assert.deepEqual(await ask('permissions', uid), declared)
        assert.ok(!(await ask('permissions', uid)).includes('Foo'))
      })

      test('lists of a proxy what can be done there: changes as far as its target allows them, and its removal', async () => {
        const { uid } = await bench.create('File')
        const { uid: section } = await bench.create('Section')
        await bench.restrict(section, grant('alice', 'ReadWrite'))
        const proxy = await bench.createProxy(section, uid)
        const isGranted = async () => {
          const granted: string[] = await ask('permissions', proxy, 'alice')
          return ['Read', 'Remove', 'Write', 'WriteProperties'].filter((name) => granted.includes(name))
        }
        await bench.restrict(uid)
        assert.deepEqual(await isGranted(), ['Read', 'Remove'])
        await bench.restrict(uid, grant('alice', 'ReadWrite'))
        assert.deepEqual(await isGranted(), ['Read', 'Remove', 'Write', 'WriteProperties'])
        await bench.change(uid, { lock: { owner: 'Administrator', created: '2031-02-03T09:10:11.120Z' } })
        assert.deepEqual(await isGranted(), ['Read', 'Remove'])
        assert.equal(
          (await server.as('alice').put(`/id/${proxy}`, { 'entity-type': 'document', properties: { 'dc:title': 'x' } })).status,
          403,
        )
        assert.equal((await server.as('alice').delete(`/id/${proxy}`)).status, 204)
      })

      test('lists no compound of which a part is denied', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('alice', 'ReadWrite'))
        const commented = requireStatus(
          201,
          await server.as('Administrator').post(`/id/${uid}/@comment`, { 'entity-type': 'comment', parentId: uid, text: 'hers' }),
        )
        const granted = await ask('permissions', commented.id, 'alice')
        assert.ok(granted.includes('Read'), String(granted))
        for (const name of ['WriteProperties', 'Write', 'ReadWrite', 'Everything']) assert.ok(!granted.includes(name), name)
      })

      test('lists all but RestrictedRead for who has Everything', async () => {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('alice', 'Everything'))
        const all = await ask('permissions', uid)
        assert.deepEqual(
          await ask('permissions', uid, 'alice'),
          all.filter((name: string) => name !== 'RestrictedRead'),
        )
      })
    })

    describe('userVisiblePermissions', () => {
      const offers = [
        { type: 'File', names: ['Read', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything'] },
        { type: 'Collection', names: ['Read', 'ReadCanCollect', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything'] },
        { type: 'Section', names: ['Read', 'ReadWrite', 'ManageRecord', 'ManageLegalHold', 'Everything', 'CanAskForPublishing'] },
      ]
      for (const { type, names } of offers) {
        test(`lists what a user interface offers on a ${type}, whoever asks`, async () => {
          const { uid } = await bench.create(type)
          assert.deepEqual(await ask('userVisiblePermissions', uid), names)
          assert.deepEqual(await ask('userVisiblePermissions', uid, 'alice'), names)
        })
      }
    })

    describe('breadcrumb', () => {
      test('lists the way down to the document and the document itself, without the root', async () => {
        const { uid, path } = await bench.create('File')
        const breadcrumb = await ask('breadcrumb', uid)
        assert.deepEqual(Object.keys(breadcrumb), plainList)
        assert.equal(breadcrumb['entity-type'], 'documents')
        assert.deepEqual(pathsOf(breadcrumb), ['/default-domain', workspaces, path])
        assert.deepEqual(breadcrumb.entries[2], await bench.read(uid))
      })

      test('is empty for the root', async () => {
        assert.deepEqual(pathsOf(await ask('breadcrumb', await uidOf('/'))), [])
      })

      test('starts below the first ancestor that the caller cannot read', async () => {
        const closed = await bench.create('Folder')
        const open = await bench.create('Folder', {}, { parent: closed.path })
        const file = await bench.create('File', {}, { parent: open.path })
        await bench.restrict(closed.uid)
        await bench.setAcls(open.uid, [{ name: 'local', aces: [grant('alice', 'Read')] }])
        assert.deepEqual(pathsOf(await ask('breadcrumb', file.uid, 'alice')), [open.path, file.path])
      })

      test('of a version leads to the place of its live document', async () => {
        const { uid, path } = await bench.create('File')
        const version = await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        const { entries } = await ask('breadcrumb', version.uid)
        assert.deepEqual(
          entries.map((entry: Answered) => entry.path),
          ['/default-domain', workspaces, path],
        )
        assert.equal(entries[2].uid, version.uid)
      })
    })

    describe('firstAccessibleAncestor', () => {
      test('is the parent, or the nearest above it that the caller can read, and absent for the root', async () => {
        const outer = await bench.create('Folder')
        const inner = await bench.create('Folder', {}, { parent: outer.path })
        const file = await bench.create('File', {}, { parent: inner.path })
        await bench.setAcls(file.uid, [{ name: 'local', aces: [grant('alice', 'Read')] }])
        assert.deepEqual(await ask('firstAccessibleAncestor', file.uid, 'alice'), await bench.read(inner.uid))
        await bench.restrict(inner.uid)
        assert.equal((await ask('firstAccessibleAncestor', file.uid, 'alice')).uid, outer.uid)
        assert.equal((await ask('firstAccessibleAncestor', file.uid)).uid, inner.uid)
        assert.equal(await ask('firstAccessibleAncestor', await uidOf('/')), undefined)
      })
    })

    describe('children', () => {
      test('lists all direct children, trashed and hidden ones too, and no further', async () => {
        const { uid, path } = await bench.create('Folder')
        const b = await bench.create('File', {}, { parent: path, name: 'b' })
        const a = await bench.create('Folder', {}, { parent: path, name: 'a' })
        const c = await bench.create('HiddenFolder', {}, { parent: path, name: 'c' })
        await bench.create('File', {}, { parent: a.path })
        await bench.change(b.uid, { isTrashed: true })
        const children = await ask('children', uid)
        assert.deepEqual(Object.keys(children), plainList)
        assert.deepEqual(pathsOf(children), [a.path, b.path, c.path])
        assert.deepEqual(children.entries[0], await bench.read(a.uid))
      })

      test('leaves out what the caller cannot read', async () => {
        const { uid, path } = await bench.create('Folder')
        const seen = await bench.create('File', {}, { parent: path })
        const browsed = await bench.create('File', {}, { parent: path })
        await bench.restrict(browsed.uid, grant('alice', 'Browse'))
        assert.deepEqual(pathsOf(await ask('children', uid, 'alice')), [seen.path])
      })

      test('keeps the order of an ordered folder', async () => {
        const { uid, path } = await bench.create('OrderedFolder')
        for (const name of ['z', 'a', 'm']) await bench.create('File', {}, { parent: path, name })
        assert.deepEqual(pathsOf(await ask('children', uid)), [`${path}/z`, `${path}/a`, `${path}/m`])
      })

      test('is empty for a file', async () => {
        assert.deepEqual(pathsOf(await ask('children', (await bench.create('File')).uid)), [])
      })
    })

    describe('hasFolderishChild and hasContent', () => {
      // Only a type hides, as in lists.
      const hides = 'HiddenInNavigation'
      const contents = [
        { holds: 'nothing', child: undefined, fields: {}, folder: false, content: false },
        { holds: 'a file', child: 'File', fields: {}, folder: false, content: true },
        { holds: 'a folder', child: 'Folder', fields: {}, folder: true, content: true },
        { holds: 'a trashed folder', child: 'Folder', fields: { isTrashed: true }, folder: false, content: false },
        { holds: 'a hidden folder', child: 'HiddenFolder', fields: {}, folder: false, content: false },
        { holds: 'a file with the facet that hides', child: 'File', fields: { facets: [hides] }, folder: false, content: true },
        { holds: 'a folder with it', child: 'Folder', fields: { facets: [hides] }, folder: true, content: true },
        { holds: 'a file made folderish', child: 'File', fields: { facets: ['Folderish'] }, folder: true, content: true },
      ]
      for (const { holds, child, fields, folder, content } of contents) {
        test(`say ${folder} and ${content} of a folder that holds ${holds}`, async () => {
          const { uid, path } = await bench.create('Folder')
          if (child !== undefined) await bench.change((await bench.create(child, {}, { parent: path })).uid, fields)
          assert.deepEqual([await ask('hasFolderishChild', uid), await ask('hasContent', uid)], [folder, content])
        })
      }

      test('say false of a file, whatever is below it', async () => {
        const { uid, path } = await bench.create('File')
        await bench.create('Folder', {}, { parent: path })
        assert.deepEqual([await ask('hasFolderishChild', uid), await ask('hasContent', uid)], [false, false])
      })

      test('do not tell of what the caller may not browse', async () => {
        const { uid, path } = await bench.create('Folder')
        await bench.restrict((await bench.create('Folder', {}, { parent: path })).uid)
        assert.deepEqual([await ask('hasFolderishChild', uid, 'alice'), await ask('hasContent', uid, 'alice')], [false, false])
        assert.deepEqual([await ask('hasFolderishChild', uid), await ask('hasContent', uid)], [true, true])
      })

      test('count the visible members of a collection as its content', async () => {
        const { uid: collection } = await bench.create('Collection')
        assert.equal(await ask('hasContent', collection), false)
        const { uid: member } = await bench.create('File')
        await putIntoCollection(member, collection)
        assert.equal(await ask('hasContent', collection), true)
        await bench.change(member, { isTrashed: true })
        assert.equal(await ask('hasContent', collection), false)
      })
    })

    async function putIntoCollection(member: string, ...collections: readonly string[]): Promise<void> {
      await bench.change(member, {
        facets: ['CollectionMember'],
        properties: { 'collectionMember:collectionIds': collections },
      })
      for (const collection of collections) await bench.update(collection, { 'collection:documentIds': [member] })
    }

    describe('collections', () => {
      test('is an array of those that the document is in and the caller can read', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await ask('collections', uid), [])
        const [open, closed, trashed] = [
          await bench.create('Collection'),
          await bench.create('Collection'),
          await bench.create('Collection'),
        ]
        await putIntoCollection(uid, open.uid, closed.uid, trashed.uid)
        await bench.restrict(closed.uid)
        await bench.change(trashed.uid, { isTrashed: true })
        const uids = (list: readonly Answered[]) => list.map((entry) => entry.uid)
        assert.deepEqual(await ask('collections', uid, 'alice'), [await bench.read(open.uid)])
        assert.deepEqual(uids(await ask('collections', uid)), [open.uid, closed.uid])
      })

      test('shows no more than a hundred', async () => {
        const { uid } = await bench.create('File')
        const { uid: folder } = await bench.create('Folder')
        const ids = await server.asSystem(async ({ tx }) => {
          const parent = await tx.documents.find(folder)
          assert.ok(parent)
          const many = Array.from({ length: 101 }, (_, index) => aStoredChild(parent, `c${index}`, { type: 'Collection' }))
          await tx.documents.insertMany(many)
          return many.map(({ id }) => id)
        })
        await bench.change(uid, { facets: ['CollectionMember'], properties: { 'collectionMember:collectionIds': ids } })
        assert.equal((await ask('collections', uid)).length, 100)
      })
    })

    describe('favorites', () => {
      test('says whether the document is in the caller’s own favorites', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await ask('favorites', uid), { isFavorite: false })
        const own = await server.inSession('Administrator', (session) => getOrCreateUserWorkspace(session, server.services))
        const favorites = await bench.create('Favorites', {}, { parent: own.path ?? '', name: 'Favorites' })
        await bench.setAcls(favorites.uid, [{ name: 'local', aces: [grant('Administrator', 'Everything')] }])
        await putIntoCollection(uid, favorites.uid)
        assert.deepEqual(await ask('favorites', uid), { isFavorite: true })
        assert.deepEqual(await ask('favorites', uid, 'alice'), { isFavorite: false })
      })
    })

    describe('subtypes', () => {
      test('lists what is offered to be created in the document, each with its facets', async () => {
        const { uid } = await bench.create('OrderedFolder')
        const subtypes = await ask('subtypes', uid)
        const names = subtypes.map(({ type }: Answered) => type)
        assert.deepEqual(names.toSorted(), [
          'Audio',
          'File',
          'Folder',
          'Note',
          'OrderedFolder',
          'Picture',
          'TemplateSource',
          'Video',
          'WebTemplateSource',
        ])
        const folder = subtypes.find(({ type }: Answered) => type === 'Folder')
        assert.deepEqual(Object.keys(folder), ['type', 'facets'])
        assert.deepEqual(folder.facets.toSorted(), ['Folderish', 'NXTag'])
      })

      test('is empty where nothing is offered', async () => {
        assert.deepEqual(await ask('subtypes', (await bench.create('File')).uid), [])
      })

      test('leaves out what the folder itself does not want to be offered', async () => {
        const { uid } = await bench.create('OrderedFolder')
        const offered = async () => (await ask('subtypes', uid)).map(({ type }: Answered) => type).toSorted()
        const { status } = await server.as('Administrator').post('/automation/Document.AddFacet', {
          input: uid,
          params: { facet: 'UITypesLocalConfiguration' },
        })
        assert.equal(status, 200)
        assert.equal((await offered()).length, 9)
        const rows: [configured: object, offered: readonly string[]][] = [
          [{ 'uitypesconf:allowedTypes': ['File', 'Note', 'Workspace'] }, ['File', 'Note']],
          [{ 'uitypesconf:deniedTypes': ['Note'] }, ['File']],
          [
            { 'uitypesconf:allowedTypes': [] },
            ['Audio', 'File', 'Folder', 'OrderedFolder', 'Picture', 'TemplateSource', 'Video', 'WebTemplateSource'],
          ],
          [{ 'uitypesconf:denyAllTypes': true }, []],
        ]
        for (const [configured, expected] of rows) {
          await bench.update(uid, configured)
          assert.deepEqual(await offered(), expected)
        }
      })
    })

    describe('thumbnail, preview and documentURL', () => {
      test('link to the document, the first two with its token', async () => {
        const { uid, changeToken } = await bench.create('File')
        const place = `repo/default/id/${uid}`
        assert.deepEqual(await ask('thumbnail', uid), {
          url: `${server.url}api/v1/${place}/@rendition/thumbnail?changeToken=${changeToken}`,
        })
        assert.deepEqual(await ask('preview', uid), {
          url: `${server.url}site/api/v1/${place}/@preview/?changeToken=${changeToken}`,
        })
        assert.equal(await ask('documentURL', uid), `${server.url}nxdoc/default/${uid}`)
      })

      test('encode the two tokens of a proxy', async () => {
        const { uid, changeToken } = await bench.create('File')
        const { uid: folder } = await bench.create('Folder')
        const proxy = await bench.createProxy(folder, uid)
        const query = `?changeToken=0-0%2F${changeToken}`
        assert.ok((await ask('thumbnail', proxy)).url.endsWith(query))
        assert.ok((await ask('preview', proxy)).url.endsWith(query))
      })
    })

    describe('version', () => {
      test('tells of a version when and why it was made, and of a live document which version it comes from', async () => {
        const { uid } = await bench.create('File')
        const unversioned = { label: '0.0', created: null, comment: null, isLatest: false, isLatestMajor: false, baseId: null }
        assert.deepEqual(await ask('version', uid), unversioned)
        const checkIn = async (version: string, comment: string) => {
          const json = { input: `doc:${uid}`, params: { version, comment }, context: {} }
          requireStatus(200, await server.as('Administrator').post('/automation/Document.CheckIn', json))
          return (await ask('version', uid)).baseId as string
        }
        const first = await checkIn('major', 'As signed')
        const { created, ...told } = await ask('version', first)
        assert.ok(Date.parse(created) > 0)
        assert.deepEqual(told, { label: '1.0', comment: 'As signed', isLatest: true, isLatestMajor: true, baseId: null })
        const change = { 'entity-type': 'document', properties: { 'dc:description': 'more' } }
        requireStatus(200, await server.as('Administrator').put(`/id/${uid}`, change))
        assert.deepEqual(await ask('version', uid), { ...unversioned, label: '1.0+', baseId: first })
        const second = await checkIn('minor', 'With an annex')
        assert.deepEqual([(await ask('version', second)).isLatest, (await ask('version', second)).isLatestMajor], [true, false])
        assert.deepEqual([(await ask('version', first)).isLatest, (await ask('version', first)).isLatestMajor], [false, true])
      })
    })

    describe('version of a live document', () => {
      test('names none that was removed', async () => {
        const { uid } = await bench.create('File')
        const version = await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        await bench.update(uid, { 'dc:title': 'y' })
        assert.equal((await ask('version', uid)).baseId, version.uid)
        assert.equal((await server.as('Administrator').delete(`/id/${version.uid}`)).status, 204)
        assert.equal((await ask('version', uid)).baseId, null)
      })
    })

    describe('tags', () => {
      test('lists the labels, each once', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await ask('tags', uid), [])
        const tags = [
          { label: 'contract', username: 'alice' },
          { label: '2031', username: 'alice' },
          { label: 'contract', username: 'bob' },
        ]
        await bench.update(uid, { 'nxtag:tags': tags })
        assert.deepEqual((await ask('tags', uid)).toSorted(), ['2031', 'contract'])
      })
    })

    describe('publications', () => {
      test('counts the proxies of the document and of its versions', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await ask('publications', uid), { resultsCount: 0 })
        const version = await bench.update(uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
        const { uid: section } = await bench.create('Section')
        const proxy = await bench.createProxy(section, version.uid)
        await bench.createProxy(section, uid)
        for (const id of [uid, version.uid, proxy]) assert.deepEqual(await ask('publications', id), { resultsCount: 2 })
      })
    })

    describe('subscribedNotifications', () => {
      test('lists what the caller is subscribed to on the document', async () => {
        const { uid } = await bench.create('File')
        assert.deepEqual(await ask('subscribedNotifications', uid, 'alice'), [])
        const notifications = [
          { name: 'Creation', subscribers: ['user:alice', 'user:Administrator'] },
          { name: 'Modification', subscribers: ['user:alice'] },
          { name: 'Approbation', subscribers: ['user:alice2'] },
        ]
        await bench.change(uid, { facets: ['Notifiable'], properties: { 'notif:notifications': notifications } })
        assert.deepEqual(await ask('subscribedNotifications', uid, 'alice'), ['Creation', 'Modification'])
        assert.deepEqual(await ask('subscribedNotifications', uid), ['Creation'])
      })
    })

    describe('highlight', () => {
      test('is empty outside of searches', async () => {
        assert.deepEqual(await ask('highlight', (await bench.create('File')).uid), [])
      })
    })

    describe('in a list', () => {
      /** What a list says to alice of a document on which she has a right. */
      async function listed(permission: string): Promise<Answered> {
        const { uid } = await bench.create('File')
        await bench.restrict(uid, grant('alice', permission))
        const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:uuid = '${uid}'`)
        const all = 'acls,audit,runningWorkflows,relations,permissions,tags,pendingTasks'
        const answer = await server.as('alice').get(`/search/execute?query=${query}`, { 'enrichers-document': all })
        return requireStatus(200, answer).entries[0].contextParameters
      }

      test('tells everything to who may read the document', async () => {
        const told = Object.keys(await listed('Read')).sort()
        assert.deepEqual(told, ['acls', 'audit', 'pendingTasks', 'permissions', 'relations', 'runningWorkflows', 'tags'])
      })

      test('tells nothing that takes Read to who may only browse it', async () => {
        assert.deepEqual(Object.keys(await listed('Browse')).sort(), ['pendingTasks', 'permissions', 'tags'])
      })
    })
  },
  { plugins: [specimens] },
)
