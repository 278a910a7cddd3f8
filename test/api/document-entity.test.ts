import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

const baseFields = [
  'entity-type',
  'repository',
  'uid',
  'path',
  'type',
  'state',
  'parentRef',
  'isCheckedOut',
  'isRecord',
  'retainUntil',
  'hasLegalHold',
  'isUnderRetentionOrLegalHold',
  'isVersion',
  'isProxy',
  'changeToken',
  'isTrashed',
  'title',
  'facets',
  'schemas',
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

onEachServer(
  'the document entity',
  (server) => {
    const bench = workbenchOn(server)

    test('has nineteen fields, in this order, when nothing more is asked for and no modification time is known', async () => {
      const { uid } = await bench.create('Bare', {}, { name: 'bare' })
      const { uid: parentRef } = requireStatus(200, await server.as('Administrator').get(`/path${workspaces}`))
      const entity = await bench.read(uid)
      assert.match(uid, uuid)
      assert.deepEqual(Object.keys(entity), baseFields)
      assert.deepEqual(entity, {
        'entity-type': 'document',
        repository: 'default',
        uid,
        path: `${workspaces}/bare`,
        type: 'Bare',
        state: 'undefined',
        parentRef,
        isCheckedOut: true,
        isRecord: false,
        retainUntil: null,
        hasLegalHold: false,
        isUnderRetentionOrLegalHold: false,
        isVersion: false,
        isProxy: false,
        changeToken: '0-0',
        isTrashed: false,
        title: 'bare',
        facets: [],
        schemas: [{ name: 'specimen', prefix: 'spc' }],
      })
    })

    test('has all its fields in this order when everything is asked for', async () => {
      const { uid } = await bench.create('File')
      await bench.change(uid, { lock: { owner: 'alice', created: '2031-02-03T09:10:11.120Z' } })
      const headers = { properties: 'uid', 'fetch-document': 'lock,versionLabel', 'enrichers-document': 'permissions' }
      const added = ['versionLabel', 'lockOwner', 'lockCreated', 'lastModified', 'properties', 'facets', 'schemas']
      assert.deepEqual(Object.keys(await bench.read(uid, headers)), [...baseFields.slice(0, -2), ...added, 'contextParameters'])
    })

    test('is the same by id, by path and below its repository', async () => {
      const { uid, path } = await bench.create('File', { 'dc:title': 'one' })
      const expected = await bench.read(uid)
      for (const address of [`/path${path}`, `/repo/default/id/${uid}`, `/repo/default/path${path}`]) {
        assert.deepEqual(requireStatus(200, await server.as('Administrator').get(address)), expected, address)
      }
    })

    test('is announced in the content type', async () => {
      const { headers } = await server.as('Administrator').get('/path/')
      assert.equal(headers.get('content-type'), 'application/json; platform-entity=document')
    })

    test('shows the root at / without a parent, and by its id where it has neither title nor name', async () => {
      const root = requireStatus(200, await server.as('Administrator').get('/path/'))
      assert.deepEqual([root.path, root.parentRef, root.type, root.title], ['/', null, 'Root', root.uid])
    })

    const titles = [
      { title: 'Plan', shown: 'Plan', because: 'its dc:title' },
      { title: '', shown: 'called-so', because: 'its name when dc:title is empty' },
      { title: null, shown: 'called-so', because: 'its name when dc:title is unset' },
      { title: ' \u00a0\u3000\u200e', shown: 'called-so', because: 'its name when nothing of dc:title can be seen' },
      { title: ' Plan', shown: ' Plan', because: 'its dc:title as it is, spaces included' },
    ]
    for (const { title, shown, because } of titles) {
      test(`is titled by ${because}`, async () => {
        const { path } = await bench.create('Folder')
        const entity = await bench.create('File', { 'dc:title': title }, { parent: path, name: 'called-so' })
        assert.equal(entity.title, shown)
      })
    }

    test('shows the state that the lifecycle of the type starts with', async () => {
      assert.equal((await bench.create('File')).state, 'project')
      assert.equal((await bench.create('Bare')).state, 'undefined')
    })

    test('says until when the document is kept, and that it is kept while that time has not come', async () => {
      const { uid } = await bench.create('File')
      const held = async (fields: object) => {
        await bench.change(uid, fields)
        const { isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold } = await bench.read(uid)
        return [isRecord, retainUntil, hasLegalHold, isUnderRetentionOrLegalHold]
      }
      const [past, future] = ['2001-05-01T00:00:00.000Z', '2999-05-01T00:00:00.000Z']
      assert.deepEqual(await held({ isRecord: true }), [true, null, false, false])
      assert.deepEqual(await held({ retainUntil: future }), [true, future, false, true])
      assert.deepEqual(await held({ retainUntil: past }), [true, past, false, false])
      assert.deepEqual(await held({ hasLegalHold: true }), [true, past, true, true])
    })

    test('says that the document is trashed', async () => {
      const { uid } = await bench.create('File')
      await bench.change(uid, { isTrashed: true })
      assert.equal((await bench.read(uid)).isTrashed, true)
    })

    test('shows who holds the lock and since when, to those who fetch it', async () => {
      const { uid } = await bench.create('File')
      const fetchLock = { 'fetch-document': 'lock' }
      const lockFields = (entity: object) => Object.entries(entity).filter(([name]) => name.startsWith('lock'))
      assert.deepEqual(lockFields(await bench.read(uid, fetchLock)), [])
      await bench.change(uid, { lock: { owner: 'alice', created: '2031-02-03T09:10:11.120Z' } })
      assert.deepEqual(lockFields(await bench.read(uid)), [])
      assert.deepEqual(lockFields(await bench.read(uid, fetchLock)), [
        ['lockOwner', 'alice'],
        ['lockCreated', '2031-02-03T09:10:11.120Z'],
      ])
    })

    test('shows when the document was modified, unless that is unknown', async () => {
      const { uid } = await bench.create('File')
      const { lastModified, properties } = await bench.read(uid, { properties: 'dublincore' })
      assert.match(lastModified, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(lastModified, properties['dc:modified'])
      await bench.change(uid, { properties: { 'dc:title': 'kept' } })
      assert.ok(!('lastModified' in (await bench.read(uid))))
    })

    test('has properties only when a schema is asked for, though none of those asked for need exist', async () => {
      const { uid } = await bench.create('File')
      assert.ok(!('properties' in (await bench.read(uid))))
      assert.deepEqual((await bench.read(uid, { properties: 'note,unheard-of' })).properties, {})
    })

    test('has context parameters only when a known enricher is asked for, though it need not write any', async () => {
      const root = async (enrichers: string) =>
        requireStatus(200, await server.as('Administrator').get('/path/', { 'enrichers-document': enrichers }))
      assert.ok(!('contextParameters' in (await root('unheard-of'))))
      assert.deepEqual((await root('unheard-of,firstAccessibleAncestor')).contextParameters, {})
    })

    test('lists the facets and schemas of the type and those the document was given', async () => {
      const { uid } = await bench.create('Bare')
      await bench.change(uid, { facets: ['Picture', 'Downloadable'] })
      const { facets, schemas } = await bench.read(uid)
      assert.deepEqual(facets.toSorted(), ['Downloadable', 'Picture'])
      assert.deepEqual(schemas, [
        { name: 'specimen', prefix: 'spc' },
        { name: 'file', prefix: 'file' },
        { name: 'picture', prefix: 'picture' },
        { name: 'image_metadata', prefix: 'imd' },
      ])
    })

    test('lists the schemas of a type in the order in which the type declares them', async () => {
      const { schemas } = await bench.create('Note')
      const names = schemas.map((schema: { name: string }) => schema.name)
      assert.deepEqual(names, ['common', 'note', 'uid', 'files', 'dublincore', 'relatedtext', 'facetedTag'])
    })

    test('shows a document without a place by its bare name', async () => {
      const { uid } = await bench.create('File', {}, { name: 'adrift' })
      const placeless = 'placeless-document'
      await server.asSystem(async ({ tx }) => {
        const row = await tx.documents.find(uid)
        assert.ok(row)
        await tx.documents.insert({ ...row, id: placeless, parentId: null, path: null })
      })
      const { path, parentRef } = await bench.read(placeless)
      assert.deepEqual([path, parentRef], ['adrift', null])
    })

    test('of a document that nobody has stored has neither id, state nor token, and its parent by path', async () => {
      const entity = requireStatus(
        200,
        await server.as('Administrator').get(`/path${workspaces}/@emptyWithDefault?type=File&name=new`, { properties: 'file' }),
      )
      assert.deepEqual(Object.keys(entity), [...baseFields.slice(0, -2), 'properties', 'facets', 'schemas'])
      const { uid, path, state, parentRef, changeToken, title, isCheckedOut, isTrashed } = entity
      assert.deepEqual([uid, path, state, parentRef], [null, `${workspaces}/new`, null, workspaces])
      assert.deepEqual([changeToken, title, isCheckedOut, isTrashed], [null, 'new', true, false])
    })
  },
  { plugins: [specimens] },
)
