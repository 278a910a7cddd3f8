import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { importDocument } from '../../src/core/documents/import-document.ts'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { unlockDocument } from '../../src/core/documents/locks/unlock-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { orderBefore } from '../../src/core/documents/place/order-children.ts'
import { createProxy } from '../../src/core/documents/proxies/create-proxy.ts'
import { publishDocument } from '../../src/core/documents/proxies/publish-document.ts'
import { readDocument } from '../../src/core/documents/read-document.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { replacePermission } from '../../src/core/documents/rights/replace-permission.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { untrashDocument } from '../../src/core/documents/trash/untrash-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import { restoreVersion } from '../../src/core/documents/versions/restore-version.ts'
import type { DocumentEvent, WriteSession } from '../../src/core/session.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()

/** What is done to a fresh file, what was done before, and the events it must tell: each with the names of what it adds. */
interface Row {
  readonly what: string
  readonly before?: (session: WriteSession, id: string) => Promise<unknown>
  readonly act: (session: WriteSession, id: string) => Promise<unknown>
  readonly tells: { readonly [event: string]: readonly string[] }
}

const destination = ['destinationRef', 'destinationPath', 'destinationName', 'destinationExists']
const save = ['previousDocumentModel', 'documentIsDirty', 'destinationName']
const removal = ['docTitle', 'docSource']
const parentOf = async (session: WriteSession, id: string) => {
  const { parentId } = await readDocument(session, id)
  assert.ok(parentId)
  return parentId
}
const checkInTwice = async (session: WriteSession, id: string) => {
  await checkInDocument(session, id, 'minor')
  await saveDocument(session, id, { 'dc:title': 'between' })
  await checkInDocument(session, id, 'minor')
}
const firstVersion = async (session: WriteSession, id: string) => {
  const [version] = await session.tx.documents.listVersions(id)
  assert.ok(version)
  return version
}

const rows: readonly Row[] = [
  {
    what: 'importing',
    act: async (session, id) => {
      const parent = await readDocument(session, await parentOf(session, id))
      await importDocument(session, { id: crypto.randomUUID(), parent, type: 'File', name: 'imported', properties: {} })
    },
    tells: { aboutToImport: destination, documentImported: destination },
  },
  {
    what: 'saving what a live proxy shows',
    before: async (session, id) => createProxy(session, id, await parentOf(session, id)),
    act: (session, id) => saveDocument(session, id, { 'dc:title': 'new' }),
    tells: { beforeDocumentModification: save, documentModified: save, documentProxyUpdated: [] },
  },
  {
    what: 'removing',
    act: (session, id) => removeDocument(session, id),
    tells: { aboutToRemove: ['docTitle'], documentRemoved: removal },
  },
  {
    what: 'removing a version',
    before: checkInTwice,
    act: async (session, id) => removeDocument(session, (await firstVersion(session, id)).id),
    tells: { aboutToRemoveVersion: ['docTitle'], versionRemoved: removal, documentRemoved: removal },
  },
  {
    what: 'copying',
    act: async (session, id) => copyDocument(session, id, { parentId: await parentOf(session, id) }),
    tells: Object.fromEntries(
      ['aboutToCopy', 'documentCreatedByCopy', 'documentDuplicated'].map((name) => [
        name,
        ['sourceRef', ...destination, 'resetLifeCycle', 'resetCreator'],
      ]),
    ),
  },
  {
    what: 'renaming',
    act: (session, id) => moveDocument(session, id, { name: 'renamed' }),
    tells: {
      aboutToMove: ['sourceRef', ...destination, 'originalName', 'parentPath'],
      documentMoved: ['sourceRef', ...destination, 'originalName', 'parentPath'],
    },
  },
  {
    what: 'granting',
    act: (session, id) => addPermission(session, id, { users: ['bob'], permission: 'Read', notify: true }),
    tells: {
      beforeDocumentSecurityModification: ['oldACP', 'newACP'],
      documentSecurityUpdated: ['oldACP', 'newACP'],
      permissionNotification: ['ace', 'aclName'],
    },
  },
  {
    what: 'replacing a grant',
    before: (session, id) => addPermission(session, id, { users: ['bob'], permission: 'Read' }),
    act: (session, id) =>
      replacePermission(session, id, { id: 'bob:Read:true:Administrator::', username: 'bob', permission: 'Write' }),
    tells: { documentSecurityUpdated: ['oldACP', 'newACP', 'oldACE', 'newACE', 'changedACLName'] },
  },
  { what: 'locking', act: (session, id) => lockDocument(session, id), tells: { documentLocked: ['lock'] } },
  {
    what: 'unlocking',
    before: (session, id) => lockDocument(session, id),
    act: (session, id) => unlockDocument(session, id),
    tells: { documentUnlocked: ['lock'] },
  },
  {
    what: 'checking in',
    act: (session, id) => checkInDocument(session, id, 'minor', 'because'),
    tells: {
      aboutToCheckIn: ['checkInComment'],
      documentCheckedIn: ['versionLabel', 'checkInComment', 'checkedInVersionRef'],
      documentCreated: ['versionLabel', 'checkInComment'],
    },
  },
  {
    what: 'checking out',
    before: (session, id) => checkInDocument(session, id),
    act: (session, id) => checkOutDocument(session, id),
    tells: { aboutToCheckout: [], documentCheckedOut: [] },
  },
  {
    what: 'restoring',
    before: checkInTwice,
    act: async (session, id) => restoreVersion(session, id, (await firstVersion(session, id)).id),
    tells: { beforeRestoringDocument: ['restoredVersionUUID'], documentRestored: ['restoredVersionUUID'] },
  },
  {
    what: 'following a transition',
    act: (session, id) => followTransition(session, id, 'approve'),
    tells: { lifecycle_transition_event: ['from', 'to', 'transition'] },
  },
  { what: 'trashing', act: (session, id) => trashDocument(session, id), tells: { documentTrashed: [] } },
  {
    what: 'untrashing',
    before: (session, id) => trashDocument(session, id),
    act: (session, id) => untrashDocument(session, id),
    tells: { documentUntrashed: [] },
  },
  {
    what: 'ordering',
    act: async (session, id) => orderBefore(session, await parentOf(session, id), id, null),
    tells: { childrenOrderChanged: ['reorderedChild'] },
  },
  {
    what: 'publishing',
    act: async (session, id) => {
      const section = await session.tx.documents.findByPath('/default-domain/sections')
      await publishDocument(session, id, section?.id ?? '')
    },
    tells: { documentProxyPublished: ['replacedProxyRefs'], sectionContentPublished: ['replacedProxyRefs'] },
  },
  {
    what: 'retaining',
    before: (session, id) => makeRecord(session, id),
    act: (session, id) => setRetention(session, id, '2090-01-01'),
    tells: { beforeSetRetention: ['retainUntil'], afterSetRetention: ['retainUntil'] },
  },
]

onEachServer(
  'what events add',
  (server) => {
    const bench = workbenchOn(server)
    let parent = ''
    before(async () => {
      await server.addUser('bob', ['members'])
      parent = (await bench.create('OrderedFolder')).path
    })
    const perform = (body: Row['act'], id: string) => server.inSession('Administrator', (session) => body(session, id))
    const eventsOf = async ({ before: prepare, act }: Row): Promise<readonly DocumentEvent[]> => {
      const { uid } = await bench.create('File', {}, { parent })
      if (prepare !== undefined) await perform(prepare, uid)
      return recorder.eventsOf(() => perform(act, uid))
    }

    describe('16 by', () => {
      for (const row of rows) {
        test(`${row.what}: ${Object.keys(row.tells).join(', ')}`, async () => {
          const events = await eventsOf(row)
          for (const [name, properties] of Object.entries(row.tells)) {
            const told = events.filter((event) => event.name === name)
            assert.ok(told.length > 0, `${name} among ${events.map((event) => event.name).join()}`)
            for (const event of told) {
              for (const property of properties) assert.ok(property in event.properties, `${name} tells ${property}`)
              const isLifecycle = name === 'lifecycle_transition_event'
              assert.equal(event.category, isLifecycle ? 'eventLifeCycleCategory' : 'eventDocumentCategory')
            }
          }
        })
      }
    })
    test('16 each is told with the same session, time, principal and repository as all others of its request', async () => {
      for (const row of rows) {
        const events = await eventsOf(row)
        for (const of of [
          (event: DocumentEvent) => event.sessionId,
          (event: DocumentEvent) => event.time,
          (event: DocumentEvent) => event.repository,
          ({ principal }: DocumentEvent) => principal.onBehalfOf ?? principal.name,
        ]) {
          assert.equal(new Set(events.map(of)).size, 1, row.what)
        }
      }
    })
  },
  { plugins: [recorder.plugin] },
)
