import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { listVersioningOptions } from '../../src/core/documents/versions/version-on-save.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { startTestServer } from '../../src/testing.ts'
import { assertRefusal } from '../support/refusal.ts'
import { aDocument, assertRefused, changesTo, inFull } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { fetchLabel, major, minor, none, versionBenchOn } from '../support/version-bench.ts'
import { requireStatus, workspaces } from '../support/workbench.ts'

/** Pictures by their state; everything else is narrowed only while it is obsolete. */
const restricted = definePlugin({
  name: 'restricted',
  versioningRestrictions: [
    { type: 'Picture', allowed: { project: ['minor', 'major'], approved: ['major'], '*': ['none', 'minor'] } },
    { type: '*', allowed: { obsolete: ['none'] } },
  ],
})

onEachServer('the versioning options', (server) => {
  const bench = versionBenchOn(server)
  before(() => server.addUser('bob', ['members']))
  const put = (uid: string, title: string, headers = {}) =>
    server.as('Administrator').put(`/id/${uid}`, changesTo({ 'dc:title': title }), { ...inFull, ...headers })

  describe('8.2 the allowed set', () => {
    const allowedFor = async (type: string) => {
      const { uid } = await bench.create(type)
      const row = await bench.row(uid)
      return server.asSystem(async (session) => listVersioningOptions(session, row))
    }
    for (const type of ['Folder', 'Workspace', 'OrderedFolder']) {
      test(`8.2 is NONE alone for a ${type}, which is not Versionable`, async () => {
        assert.deepEqual(await allowedFor(type), ['none'])
      })
    }
    for (const type of ['File', 'Note', 'Picture', 'Collection']) {
      test(`8.2 is all three for a ${type}`, async () => {
        assert.deepEqual(await allowedFor(type), ['none', 'minor', 'major'])
      })
    }
    for (const [name, header] of [
      ['MINOR', minor],
      ['MAJOR', major],
    ] as const) {
      test(`8.2 refuses ${name} for a Folder with 400, and saves nothing`, async () => {
        const { uid, title } = await bench.create('Folder')
        assertRefused(
          await put(uid, 'changed', header),
          400,
          `Versioning option=${name} is not allowed by the configuration for type=Folder/lifeCycleState=project`,
        )
        assert.equal((await bench.read(uid)).title, title)
      })
    }
    test('8.2 takes NONE for a Folder', async () => {
      const { uid } = await bench.create('Folder')
      assert.equal(requireStatus(200, await put(uid, 'changed', none)).title, 'changed')
    })
    test('8.2 grows with the facet Versionable of a single document', async () => {
      const { uid } = await bench.create('Folder')
      await bench.change(uid, { facets: ['Versionable'] })
      assert.equal(requireStatus(200, await put(uid, 'changed', minor)).isVersion, true)
    })
  })

  describe('6.2 the answer to PUT', () => {
    for (const [name, header, label] of [
      ['MINOR', minor, '0.1'],
      ['MAJOR', major, '1.0'],
    ] as const) {
      test(`6.2 with ${name} is the version ${label}, and the live document is checked in on it`, async () => {
        const { uid } = await bench.create('File')
        const version = requireStatus(200, await put(uid, 'changed', header))
        assert.notEqual(version.uid, uid)
        assert.deepEqual(
          [version.isVersion, version.versionableId, version.versionLabel, version.title, version.isCheckedOut],
          [true, uid, label, 'changed', false],
        )
        assert.deepEqual(await bench.read(version.uid, inFull), version)
        const live = await bench.read(uid, inFull)
        assert.deepEqual([live.isVersion, live.versionLabel, live.isCheckedOut, live.title], [false, label, false, 'changed'])
      })
    }
    test('6.2 with NONE is the live document', async () => {
      const { uid } = await bench.create('File')
      const live = requireStatus(200, await put(uid, 'changed', none))
      assert.deepEqual([live.uid, live.isVersion, live.versionLabel], [uid, false, '0.0'])
    })
    test('6.2 with an option and nothing to save is the version all the same', async () => {
      const { uid } = await bench.create('File', { 'dc:title': 'same' })
      const version = requireStatus(200, await put(uid, 'same', minor))
      assert.deepEqual([version.isVersion, version.versionLabel], [true, '0.1'])
      const again = requireStatus(200, await put(uid, 'same', minor))
      assert.equal(again.uid, version.uid, 'it is checked in and unchanged, so that no other is made')
    })
    test('6.2 through a live proxy is the version of what the proxy points to', async () => {
      const { uid } = await bench.create('File')
      const proxyId = await bench.createProxy((await bench.create('Folder')).uid, uid)
      const version = requireStatus(200, await put(proxyId, 'changed', minor))
      assert.deepEqual([version.isVersion, version.versionableId, version.title], [true, uid, 'changed'])
      assert.equal((await bench.read(proxyId)).isCheckedOut, false)
    })
    test('6.2 with a source is the last version, or the live document where there is none', async () => {
      const { uid } = await bench.create('File')
      assert.equal(requireStatus(200, await put(uid, 'one', { source: 'REST' })).uid, uid)
      await bench.checkIn(uid)
      const version = requireStatus(200, await put(uid, 'two', { source: 'REST' }))
      assert.deepEqual([version.isVersion, version.title], [true, 'one'])
      assert.equal((await bench.read(uid)).title, 'two')
    })
    test('6.2 does not depend on the source where the option is given', async () => {
      const { uid } = await bench.create('File', {}, { headers: minor })
      assert.equal(requireStatus(200, await put(uid, 'x', { source: 'REST', ...none })).uid, uid)
    })
    for (const text of ['PATCH', 'true', '1.0']) {
      test(`6.2 with the option ${JSON.stringify(text)} is 400`, async () => {
        const { uid } = await bench.create('File')
        assertRefused(await put(uid, 'x', { 'X-Versioning-Option': text }), 400, /Use NONE, MINOR or MAJOR/)
      })
    }
  })

  test('6.2 the answer to POST is the live document, versioned as asked', async () => {
    for (const [header, label] of [
      [minor, '0.1'],
      [major, '1.0'],
      [none, '0.0'],
    ] as const) {
      const created = await bench.create('File', {}, { headers: { ...header, ...fetchLabel } })
      assert.deepEqual([created.isVersion, created.versionLabel], [false, label])
    }
  })

  test('6.2 a file changed by another user keeps the version before, and each user may ask for the next', async () => {
    const folder = await bench.create('Folder')
    await bench.setAcls(folder.uid, [{ name: 'local', aces: [grant('bob', 'ReadWrite')] }])
    const { uid } = await bench.create('File', {}, { parent: folder.path })
    const answer = await server.as('bob').put(`/id/${uid}`, changesTo({ 'dc:title': 'bob' }), { ...inFull, ...major })
    assert.equal(requireStatus(200, answer).versionLabel, '1.0')
    assert.deepEqual(await bench.listLabels(uid), ['0.1', '1.0'])
  })
})

onEachServer(
  'the versioning options under restrictions',
  (server) => {
    const bench = versionBenchOn(server)
    const put = (uid: string, title: string, headers = {}) =>
      server.as('Administrator').put(`/id/${uid}`, changesTo({ 'dc:title': title }), headers)
    async function createIn(type: string, state: string) {
      const { uid } = await bench.create(type, { 'dc:title': 'first' })
      await bench.change(uid, { state })
      return uid
    }

    type Row = [type: string, state: string, taken: readonly string[], refused: readonly string[]]
    const rows: readonly Row[] = [
      ['Picture', 'project', ['MINOR', 'MAJOR'], ['NONE']],
      ['Picture', 'approved', ['MAJOR'], ['NONE', 'MINOR']],
      ['Picture', 'obsolete', ['NONE', 'MINOR'], ['MAJOR']],
      ['File', 'project', ['NONE', 'MINOR', 'MAJOR'], []],
      ['File', 'obsolete', ['NONE'], ['MINOR', 'MAJOR']],
    ]
    for (const [type, state, taken, refused] of rows) {
      test(`8.2 a ${type} in state ${state} takes ${taken.join(', ')}`, async () => {
        for (const option of taken) {
          const uid = await createIn(type, state)
          requireStatus(200, await put(uid, 'changed', { 'X-Versioning-Option': option }))
        }
      })
      for (const option of refused) {
        test(`8.2 a ${type} in state ${state} refuses ${option} with 400, and nothing is saved`, async () => {
          const uid = await createIn(type, state)
          const message = `Versioning option=${option} is not allowed by the configuration for type=${type}/lifeCycleState=${state}`
          assertRefused(await put(uid, 'changed', { 'X-Versioning-Option': option }), 400, message)
          assert.equal((await bench.read(uid)).title, 'first')
          assert.deepEqual(await bench.listLabels(uid), [])
        })
      }
    }

    test('8.2 giving no option where NONE is excluded fails the save, and says what to give', async () => {
      const uid = await createIn('Picture', 'project')
      assertRefused(await put(uid, 'changed'), 400, 'Saving a Picture in state project takes a versioning option: MINOR or MAJOR')
      assert.equal((await bench.read(uid)).title, 'first')
      const save = server.asSystem((session) => saveDocument(session, uid, { 'dc:title': 'changed' }))
      await assertRefusal(save, 400, /takes a versioning option/)
    })
    test('8.2 giving no option where NONE is allowed saves', async () => {
      assert.equal(requireStatus(200, await put(await createIn('Picture', 'obsolete'), 'changed')).title, 'changed')
    })
    test('8.2 an option that is not allowed fails the creation too', async () => {
      const sent = aDocument({ type: 'Picture', name: 'no' })
      assertRefused(await server.as('Administrator').post(`/path${workspaces}`, sent, none), 400, /not allowed/)
      requireStatus(404, await server.as('Administrator').get(`/path${workspaces}/no`))
    })
  },
  { plugins: [restricted] },
)

test('8.2 a restriction of a type that does not exist stops the start and names the plugin', async () => {
  const plugin = definePlugin({ name: 'mistaken', versioningRestrictions: [{ type: 'Nothing', allowed: {} }] })
  await assert.rejects(startTestServer({ plugins: [plugin] }), /plugin mistaken: .*unknown document type Nothing/)
})

test('8.2 two restrictions of one type stop the start', async () => {
  const one = definePlugin({ name: 'one', versioningRestrictions: [{ type: 'File', allowed: {} }] })
  const two = definePlugin({ name: 'two', versioningRestrictions: [{ type: 'File', allowed: {} }] })
  await assert.rejects(startTestServer({ plugins: [one, two] }), /versioningRestrictions: File is contributed by one already/)
})
