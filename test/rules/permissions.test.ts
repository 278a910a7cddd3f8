import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { importDocument } from '../../src/core/documents/import-document.ts'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { readLifecycle } from '../../src/core/documents/lifecycle/lifecycle-state.ts'
import { lockDocument, readLock } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import { listVersions } from '../../src/core/documents/versions/list-versions.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import type { WriteSession } from '../../src/core/session.ts'
import type { Document } from '../../src/model/document.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

/** A file with a version in a folder, and a section. */
interface Scene {
  readonly folder: string
  readonly file: string
  readonly version: string
  readonly section: string
}

type Place = Exclude<keyof Scene, 'version'>

interface Action {
  readonly needs: readonly (readonly [permission: string, on: Place])[]
  /** What the file has to be before. */
  readonly file?: Partial<Document>
  act(session: WriteSession, scene: Scene): Promise<unknown>
}

const carolsLock = { owner: 'carol', created: '2031-01-01T00:00:00.000Z' }

/** 11.2, row by row. */
const actions: { readonly [name: string]: Action } = {
  'read a document': { needs: [['Read', 'file']], act: (session, { file }) => readDocument(session, file) },
  'read its lock': { needs: [['Read', 'file']], act: (session, { file }) => readLock(session, file) },
  'create a document': {
    needs: [['AddChildren', 'folder']],
    async act(session, { folder }) {
      const parent = (await session.tx.documents.find(folder)) ?? null
      return createDocument(session, { parent, type: 'File', name: 'new', properties: {} })
    },
  },
  'update properties': {
    needs: [['WriteProperties', 'file']],
    act: (session, { file }) => saveDocument(session, file, { 'dc:title': 'changed' }),
  },
  'check in': {
    needs: [['WriteProperties', 'file']],
    file: { isCheckedIn: false },
    act: (session, { file }) => checkInDocument(session, file),
  },
  'check out': { needs: [['WriteProperties', 'file']], act: (session, { file }) => checkOutDocument(session, file) },
  lock: { needs: [['WriteProperties', 'file']], act: (session, { file }) => lockDocument(session, file) },
  'unlock what another locked': {
    needs: [['Unlock', 'file']],
    file: { lock: carolsLock },
    act: (session, { file }) => unlockDocument(session, file),
  },
  remove: {
    needs: [
      ['Remove', 'file'],
      ['RemoveChildren', 'folder'],
    ],
    act: (session, { file }) => removeDocument(session, file),
  },
  // Its new name in the trash is put into the folder.
  trash: {
    needs: [
      ['Remove', 'file'],
      ['RemoveChildren', 'folder'],
      ['AddChildren', 'folder'],
    ],
    act: (session, { file }) => trashDocument(session, file),
  },
  'read versions': { needs: [['ReadVersion', 'file']], act: (session, { file }) => listVersions(session, file) },
  'restore a version': {
    needs: [['WriteVersion', 'file']],
    act: (session, { file, version }) => restoreVersion(session, file, version),
  },
  'remove a version': {
    needs: [['WriteVersion', 'file']],
    file: { isCheckedIn: false },
    act: (session, { version }) => removeDocument(session, version),
  },
  'read the lifecycle': { needs: [['ReadLifeCycle', 'file']], act: (session, { file }) => readLifecycle(session, file) },
  'follow a transition': {
    needs: [['WriteLifeCycle', 'file']],
    act: (session, { file }) => followTransition(session, file, 'approve'),
  },
  'write ACLs': {
    needs: [['WriteSecurity', 'file']],
    act: (session, { file }) => setAcls(session, file, [{ name: 'workflow', aces: [grant('carol', 'Read')] }]),
  },
  publish: {
    needs: [
      ['Read', 'file'],
      ['AddChildren', 'section'],
    ],
    act: (session, { file, section }) => publishDocument(session, file, section),
  },
  'make a record': { needs: [['MakeRecord', 'file']], act: (session, { file }) => makeRecord(session, file) },
  'set retention': {
    needs: [['SetRetention', 'file']],
    file: { isRecord: true },
    act: (session, { file }) => setRetention(session, file, '2999-01-01T00:00:00.000Z'),
  },
  'set a legal hold': {
    needs: [['ManageLegalHold', 'file']],
    file: { isRecord: true },
    act: (session, { file }) => setLegalHold(session, file),
  },
}

const surgery = definePlugin({
  name: 'surgery',
  permissions: [
    { name: 'Anaesthetise', includes: [] },
    { name: 'Operate', includes: ['Anaesthetise'] },
  ],
})

onEachServer(
  '11.2 who needs what',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      for (const user of ['bob', 'carol']) await server.addUser(user, ['members'])
    })

    async function createScene(fields: Partial<Document> = {}): Promise<Scene> {
      const folder = await bench.create('Folder')
      const file = await bench.create('File', {}, { parent: folder.path })
      const version = await bench.update(file.uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
      const section = await bench.create('Folder')
      await bench.change(file.uid, fields)
      return { folder: folder.uid, file: file.uid, version: version.uid, section: section.uid }
    }
    const give = (uid: string, permissions: readonly string[]) =>
      bench.restrict(uid, ...permissions.map((permission) => grant('bob', permission)))

    for (const [name, { needs, file, act }] of Object.entries(actions)) {
      test(`to ${name}: ${needs.map(([permission, on]) => `${permission} on the ${on}`).join(' and ')}, and nothing else`, async () => {
        const scene = await createScene(file)
        for (const place of ['folder', 'file', 'section'] as const) {
          const permissions = needs.filter(([, on]) => on === place).map(([permission]) => permission)
          await give(scene[place], permissions)
        }
        await server.inSession('bob', (session) => act(session, scene))
      })
      for (const [permission, on] of needs) {
        test(`not to ${name} with everything but ${permission} on the ${on}`, async () => {
          const scene = await createScene(file)
          for (const place of ['folder', 'file', 'section'] as const) await give(scene[place], ['Everything'])
          await bench.restrict(scene[on], deny('bob', permission), grant('bob', 'Everything'))
          await assertRefusal(
            server.inSession('bob', (session) => act(session, scene)),
            403,
            privilegeMissing(permission, 'bob'),
          )
        })
      }
    }

    test('to import with an id: to be an administrator', async () => {
      const { folder } = await createScene()
      await give(folder, ['Everything'])
      const importAs = (user: string) =>
        server.inSession(user, async (session) => {
          const parent = (await session.tx.documents.find(folder)) ?? null
          await importDocument(session, { id: crypto.randomUUID(), parent, type: 'File', name: 'in', properties: {} })
        })
      await assertRefusal(importAs('bob'), 403, /^Only administrators/)
      await importAs('Administrator')
    })
  },
  { settings: { securityAllowNegativeAcl: true } },
)

onEachServer(
  '11.1 permissions',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))
    const show = async (uid: string, enricher: string, user = 'bob') =>
      requireStatus(200, await server.as(user).get(`/id/${uid}`, { 'enrichers-document': enricher })).contextParameters[enricher]
    const granted = async (...permissions: readonly string[]): Promise<readonly string[]> => {
      const { uid } = await bench.create('Folder')
      await bench.restrict(uid, ...permissions.map((permission) => grant('bob', permission)))
      return show(uid, 'permissions')
    }

    test('WriteSecurity and Unlock are in no compound: only explicit or with Everything', async () => {
      const all = ['ReadWrite', 'ReadRemove', 'Version', 'Comment', 'ReadCanCollect', 'DataVisualization']
      const compounds = await granted(...all)
      assert.deepEqual([compounds.includes('WriteSecurity'), compounds.includes('Unlock')], [false, false])
      for (const permission of ['WriteSecurity', 'Unlock']) {
        assert.ok((await granted('Read', permission)).includes(permission))
        assert.ok((await granted('Everything')).includes(permission))
      }
    })
    test('a permission that a plugin declares is shown and contains what it says', async () => {
      const asked = (shown: readonly string[]) => ['Operate', 'Anaesthetise'].filter((permission) => shown.includes(permission))
      assert.deepEqual(asked(await granted('Read', 'Operate')), ['Operate', 'Anaesthetise'])
      assert.deepEqual(asked(await granted('Read', 'Anaesthetise')), ['Anaesthetise'])
      assert.deepEqual(asked(await granted('Read')), [])
    })
    test('8.1 the permissions enricher names only what is declared', async () => {
      const shown = await granted('Read', 'Fly')
      assert.ok(!shown.includes('Fly'))
      assert.deepEqual(shown.toSorted(), (await granted('Read')).toSorted())
    })
    test('8.1 the permissions enricher follows a lock', async () => {
      const { uid } = await bench.create('Folder')
      await bench.restrict(uid, grant('bob', 'Everything'))
      await bench.change(uid, { lock: carolsLock })
      const shown = await show(uid, 'permissions')
      assert.deepEqual([shown.includes('WriteProperties'), shown.includes('Read')], [false, true])
    })

    describe('8.1 the permissions that interfaces offer', () => {
      const keeping = ['ManageRecord', 'ManageLegalHold']
      const rows: { readonly [type: string]: readonly string[] } = {
        File: ['Read', 'ReadWrite', ...keeping, 'Everything'],
        Section: ['Read', 'ReadWrite', ...keeping, 'Everything', 'CanAskForPublishing'],
        SectionRoot: ['Read', 'ReadWrite', ...keeping, 'Everything', 'CanAskForPublishing'],
        Collection: ['Read', 'ReadCanCollect', 'ReadWrite', ...keeping, 'Everything'],
        DocumentRoute: ['Read', 'DataVisualization', 'ReadWrite', ...keeping, 'Everything'],
      }
      for (const [type, expected] of Object.entries(rows)) {
        test(`on ${type} are in the order of their rank, whoever asks`, async () => {
          const { uid }: Answered = await bench.create(type)
          await bench.restrict(uid, grant('bob', 'Read'))
          for (const user of ['bob', 'Administrator']) {
            assert.deepEqual(await show(uid, 'userVisiblePermissions', user), expected)
          }
        })
      }
    })
  },
  { plugins: [surgery] },
)
