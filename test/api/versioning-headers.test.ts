import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { versionLabel } from '../../src/model/versioning.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { aDocument, assertRefused, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

/** What comes from a scanner is a major version. */
const scanned = definePlugin({
  name: 'scanned',
  versioningPolicies: [
    {
      id: 'scanned',
      order: 40,
      when: 'after',
      increment: 'major',
      types: ['Picture'],
      condition: ({ source }) => source === 'scanner',
    },
  ],
})

onEachServer(
  'versions of a document',
  (server) => {
    const bench = workbenchOn(server)
    const shared = '/default-domain/workspaces/shared'
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol', ['members'])
      const { uid } = await bench.create('Folder', {}, { name: 'shared' })
      await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite'), grant('carol', 'ReadWrite')] }])
    })
    const create = (type: string, headers = {}) =>
      bench.create(type, { 'dc:title': 'first' }, { parent: shared, headers: { ...inFull, ...headers } })
    const put = (uid: string, title: string, headers = {}, user = 'Administrator') =>
      server.as(user).put(`/id/${uid}`, changesTo({ 'dc:title': title }), { ...inFull, ...headers })
    const save = async (uid: string, title: string, headers = {}, user = 'Administrator') =>
      requireStatus(200, await put(uid, title, headers, user))
    const option = (text: string) => ({ 'X-Versioning-Option': text })
    const read = (uid: string) => bench.read(uid, inFull)
    const listLabels = (uid: string) =>
      server.asSystem(async ({ tx, model }) => {
        const versions = await tx.documents.listVersions(uid)
        return versions.map((version) => versionLabel(version, model.shapeOf(version)))
      })

    describe('asked for when it is changed', () => {
      const rows: readonly [option: string, label: string][] = [
        ['MINOR', '0.1'],
        ['MAJOR', '1.0'],
        ['minor', '0.1'],
        ['Major', '1.0'],
        [' MINOR ', '0.1'],
      ]
      for (const [text, label] of rows) {
        test(`with ${text} are the answer, and the live document is checked in on it as ${label}`, async () => {
          const { uid } = await create('File')
          const version = await save(uid, 'changed', option(text))
          assert.equal(version.isVersion, true)
          assert.notEqual(version.uid, uid)
          assert.equal(version.versionableId, uid)
          assert.deepEqual([version.versionLabel, version.isCheckedOut, version.title], [label, false, 'changed'])
          const live = await read(uid)
          assert.deepEqual([live.isVersion, live.versionLabel, live.isCheckedOut, live.title], [false, label, false, 'changed'])
          assert.deepEqual(await listLabels(uid), [label])
        })
      }
      for (const text of ['NONE', 'none']) {
        test(`with ${text} are not made, and the live document is the answer`, async () => {
          const { uid } = await create('File')
          const saved = await save(uid, 'changed', option(text))
          assert.deepEqual([saved.uid, saved.isVersion, saved.isCheckedOut, saved.versionLabel], [uid, false, true, '0.0'])
          assert.deepEqual(await listLabels(uid), [])
        })
      }
      test('are numbered one after another', async () => {
        const { uid } = await create('File')
        for (const [index, text] of ['MINOR', 'MINOR', 'MAJOR', 'MINOR', 'MAJOR'].entries()) {
          await save(uid, `change ${index}`, option(text))
        }
        assert.deepEqual(await listLabels(uid), ['0.1', '0.2', '1.0', '1.1', '2.0'])
        assert.equal((await save(uid, 'last')).versionLabel, '2.0+')
      })
      test('are made of an open document that stays as it is, and only once', async () => {
        const { uid } = await create('File')
        const version = await save(uid, 'first', option('MINOR'))
        assert.equal(version.versionLabel, '0.1')
        assert.equal((await save(uid, 'first', option('MINOR'))).uid, version.uid)
        assert.deepEqual(await listLabels(uid), ['0.1'])
      })
      for (const text of ['LARGE', 'minor major', '1', 'null']) {
        test(`with ${text} are refused, and nothing is saved`, async () => {
          const created = await create('File')
          assertRefused(await put(created.uid, 'no', option(text)), 400, /^Invalid versioning option/)
          assert.deepEqual(await read(created.uid), created)
        })
      }
      for (const text of ['MINOR', 'MAJOR']) {
        test(`with ${text} are refused where there are none of the type, and nothing is saved`, async () => {
          const created = await create('Folder')
          const message = new RegExp(`^Versioning option=${text} is not allowed by the configuration for type=Folder`)
          assertRefused(await put(created.uid, 'no', option(text)), 400, message)
          assert.deepEqual(await read(created.uid), created)
        })
      }
      test('with NONE are not missed where there are none of the type', async () => {
        const { uid } = await create('Folder')
        assert.equal((await save(uid, 'changed', option('NONE'))).title, 'changed')
      })
    })

    describe('asked for when it is created', () => {
      for (const [text, label, isCheckedOut] of [
        ['MINOR', '0.1', false],
        ['MAJOR', '1.0', false],
        ['NONE', '0.0', true],
      ] as const) {
        test(`with ${text} leave the live document as the answer, labelled ${label}`, async () => {
          const created = await create('File', option(text))
          assert.deepEqual([created.isVersion, created.versionLabel, created.isCheckedOut], [false, label, isCheckedOut])
          assert.deepEqual(await listLabels(created.uid), text === 'NONE' ? [] : [label])
        })
      }
      for (const [type, text] of [
        ['Folder', 'MINOR'],
        ['Workspace', 'MAJOR'],
        ['File', 'nonsense'],
      ] as const) {
        test(`with ${text} for a ${type} are refused, and nothing is created`, async () => {
          const name = `${type} ${text}`
          const answer = await server.as('Administrator').post(`/path${shared}`, aDocument({ type, name }), option(text))
          assertRefused(answer, 400, /versioning option/i)
          assert.equal((await server.as('Administrator').get(`/path${shared}/${name}`)).status, 404)
        })
      }
    })

    describe('of a note', () => {
      test('are made when it is created and at each change', async () => {
        const created = await create('Note')
        assert.deepEqual([created.isVersion, created.versionLabel, created.isCheckedOut], [false, '0.1', false])
        for (const label of ['0.2', '0.3']) {
          const saved = await save(created.uid, label)
          assert.deepEqual([saved.uid, saved.versionLabel, saved.isCheckedOut], [created.uid, label, false])
        }
        assert.deepEqual(await listLabels(created.uid), ['0.1', '0.2', '0.3'])
      })
      test('are not made when nothing changes', async () => {
        const { uid } = await create('Note')
        await save(uid, 'first')
        assert.deepEqual(await listLabels(uid), ['0.1'])
      })
      test('labelled 0.1 become 1.0 with MAJOR', async () => {
        const { uid } = await create('Note')
        const version = await save(uid, 'major', option('MAJOR'))
        assert.deepEqual([version.isVersion, version.versionLabel], [true, '1.0'])
      })
      test('are not made with NONE', async () => {
        const { uid } = await create('Note')
        const saved = await save(uid, 'draft', option('NONE'))
        assert.deepEqual([saved.versionLabel, saved.isCheckedOut], ['0.1+', true])
        const other = await create('Note', option('NONE'))
        assert.equal(other.versionLabel, '0.0')
      })
    })

    describe('of a file', () => {
      test('keep what another user is about to change', async () => {
        const { uid } = await create('File')
        const saved = await save(uid, "bob's", {}, 'bob')
        assert.deepEqual([saved.uid, saved.versionLabel, saved.isCheckedOut, saved.title], [uid, '0.1+', true, "bob's"])
        const version = await server.asSystem(({ tx }) => tx.documents.findLatestVersion(uid))
        assert.equal(version?.properties['dc:title'], 'first')
        assert.equal(version?.properties['dc:lastContributor'], 'Administrator')
        await save(uid, "bob's again", {}, 'bob')
        assert.deepEqual(await listLabels(uid), ['0.1'])
        await save(uid, "carol's", {}, 'carol')
        assert.deepEqual(await listLabels(uid), ['0.1', '0.2'])
      })
      test('are not made when another user changes nothing', async () => {
        const { uid } = await create('File')
        await save(uid, 'first', {}, 'bob')
        assert.deepEqual(await listLabels(uid), [])
      })
      test('keep both what another user changes and what is made of it', async () => {
        const { uid } = await create('File')
        const version = await save(uid, "bob's", option('MAJOR'), 'bob')
        assert.deepEqual([version.versionLabel, version.title], ['1.0', "bob's"])
        assert.deepEqual(await listLabels(uid), ['0.1', '1.0'])
      })
      test('are not made of a file that is checked in already', async () => {
        const { uid } = await create('File', option('MINOR'))
        assert.equal((await save(uid, "bob's", {}, 'bob')).versionLabel, '0.1+')
        assert.deepEqual(await listLabels(uid), ['0.1'])
      })
      test('are not made of a workspace, though it holds files', async () => {
        const { uid } = await create('Workspace')
        await save(uid, "bob's", {}, 'bob')
        assert.deepEqual(await listLabels(uid), [])
      })
    })

    describe('left to the source of the change', () => {
      const source = { source: 'scanner' }
      test('are the answer where a policy makes one', async () => {
        const { uid } = await create('Picture')
        const version = await save(uid, 'scanned', source)
        assert.deepEqual([version.isVersion, version.versionableId, version.versionLabel], [true, uid, '1.0'])
      })
      test('are the answer where there is one from before', async () => {
        const { uid } = await create('File', option('MINOR'))
        const version = await save(uid, 'changed', { source: 'REST' })
        assert.deepEqual([version.isVersion, version.versionLabel, version.title], [true, '0.1', 'first'])
        assert.deepEqual([(await read(uid)).versionLabel, (await read(uid)).title], ['0.1+', 'changed'])
      })
      test('are not the answer where there is none', async () => {
        const { uid } = await create('File')
        const saved = await save(uid, 'changed', { source: 'REST' })
        assert.deepEqual([saved.uid, saved.isVersion, saved.title], [uid, false, 'changed'])
      })
      test('are made when it is created too, and the live document is the answer', async () => {
        const created = await create('Picture', source)
        assert.deepEqual([created.isVersion, created.versionLabel], [false, '1.0'])
        assert.equal((await create('Picture', { source: 'REST' })).versionLabel, '0.0')
      })
      test('are not made where the option says otherwise', async () => {
        const { uid } = await create('Picture')
        assert.deepEqual((await save(uid, 'changed', { ...source, ...option('NONE') })).uid, uid)
        assert.deepEqual(await listLabels(uid), [])
        assert.equal((await save(uid, 'again', { ...source, ...option('MINOR') })).versionLabel, '0.1')
      })
    })
  },
  { plugins: [scanned] },
)
