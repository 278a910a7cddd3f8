import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createDocument } from '../../src/core/documents/create-document.ts'
import { importDocument } from '../../src/core/documents/import-document.ts'
import { followTransition } from '../../src/core/documents/lifecycle/follow-transition.ts'
import { lockDocument } from '../../src/core/documents/locks/lock-document.ts'
import { copyDocument } from '../../src/core/documents/place/copy-document.ts'
import { moveDocument } from '../../src/core/documents/place/move-document.ts'
import { readDocument, readDocumentByPath } from '../../src/core/documents/read-document.ts'
import { setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { removePermission } from '../../src/core/documents/rights/remove-permission.ts'
import { saveDocument } from '../../src/core/documents/save-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { checkInDocument } from '../../src/core/documents/versions/check-in.ts'
import { checkOutDocument } from '../../src/core/documents/versions/check-out.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { statusOfError } from '../../src/rest/problem-status.ts'
import type { ApiAnswer } from '../../src/testing.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { aDocument, changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import specimens from '../support/specimen-plugin.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const unknownId = '00000000-0000-4000-8000-000000000000'
const minor = { 'X-Versioning-Option': 'MINOR' }

onEachServer(
  'the model answers',
  (server) => {
    const bench = workbenchOn(server)
    let folder: Answered
    before(async () => {
      await server.addUser('bob', ['members'])
      folder = await bench.create('Folder')
    })
    const create = async (type = 'File', parent = folder.path): Promise<string> => (await bench.create(type, {}, { parent })).uid
    const createWithVersion = async () => {
      const live = await create()
      return { live, version: (await bench.update(live, { 'dc:title': 'v' }, minor)).uid as string }
    }
    const call = async (answer: Promise<ApiAnswer>): Promise<Refusal> => {
      const { status, body, text } = await answer
      return { status, message: body?.message ?? text }
    }
    const act = async (body: (session: WriteSession) => Promise<unknown>, user = 'Administrator'): Promise<Refusal> => {
      try {
        await server.inSession(user, body)
        return { status: 200, message: 'done' }
      } catch (error) {
        return { status: statusOfError(error), message: (error as Error).message }
      }
    }
    const administrator = () => server.as('Administrator')

    const rows: { readonly [status: number]: readonly (readonly [condition: string, attempt: () => Promise<Refusal>])[] } = {
      404: [
        ['unknown id', () => call(administrator().get(`/id/${unknownId}`))],
        ['unknown path', () => call(administrator().get('/path/nowhere/at/all'))],
        ['unknown id, in a session', () => act((session) => readDocument(session, unknownId))],
        ['unknown path, in a session', () => act((session) => readDocumentByPath(session, '/nowhere'))],
        ['unknown id to save', () => act((session) => saveDocument(session, unknownId, {}))],
        [
          'unknown folder to copy into',
          async () => {
            const id = await create()
            return act((session) => copyDocument(session, id, { parentId: unknownId }))
          },
        ],
        ['id that no store can hold, to move', () => act((session) => moveDocument(session, 'a\0b', { name: 'x' }))],
        [
          'id that no store can hold, to move to',
          () => act((session) => moveDocument(session, folder.uid, { parentId: 'a\0b' })),
        ],
        ['id that no store can hold, to trash', () => act((session) => trashDocument(session, 'a\0b'))],
        ['unknown parent to create in', () => call(administrator().post(`/id/${unknownId}`, aDocument()))],
      ],
      403: [
        ['missing permission', () => call(server.as('bob').delete(`/id/${folder.uid}`))],
        ['missing permission, in a session', () => act((session) => saveDocument(session, folder.uid, {}), 'bob')],
        [
          'placeless creation by other than administrators',
          () => act((session) => createDocument(session, { parent: null, type: 'File', name: 'x', properties: {} }), 'bob'),
        ],
        [
          'import by other than administrators',
          () =>
            act(
              (session) => importDocument(session, { id: unknownId, parent: null, type: 'File', name: 'x', properties: {} }),
              'bob',
            ),
        ],
        ['removal of the root', () => call(administrator().delete('/path/'))],
        [
          'removal of the version that its live document is checked in on',
          async () => call(administrator().delete(`/id/${(await createWithVersion()).version}`)),
        ],
      ],
      400: [
        ['validation failure', async () => call(administrator().put(`/id/${await create()}`, changesTo({ 'dc:nature': 'no' })))],
        [
          'secured property',
          async () => {
            const id = await create('Guarded')
            await bench.setAcls(id, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
            return call(server.as('bob').put(`/id/${id}`, changesTo({ 'grd:grade': 'A' })))
          },
        ],
        [
          'write on a version',
          async () => {
            const { version } = await createWithVersion()
            return call(administrator().put(`/id/${version}`, changesTo({ 'dc:title': 'no' })))
          },
        ],
        [
          'bad ACE id',
          async () => {
            const id = await create()
            return act((session) => removePermission(session, id, { id: 'no ace' }))
          },
        ],
        [
          'unknown property',
          async () => {
            const id = await create()
            return act((session) => saveDocument(session, id, { 'nope:nope': 'no' }))
          },
        ],
        [
          'property of a schema that the type has not',
          async () => {
            const id = await create('Folder')
            return act((session) => saveDocument(session, id, { 'note:note': 'no' }))
          },
        ],
        [
          'unknown property, by code that is trusted with invalid values',
          async () => {
            const id = await create()
            return act((session) => saveDocument(session, id, { 'nope:nope': 'no' }, { validation: false }))
          },
        ],
        ['missing type', () => call(administrator().post('/path/', aDocument({ type: '' })))],
        ['missing name', () => call(administrator().post('/path/', aDocument({ name: ' ' })))],
        [
          'import under an id that no store can hold',
          () => act((session) => importDocument(session, { id: 'a\0b', parent: null, type: 'File', name: 'x', properties: {} })),
        ],
        ['unknown type', () => call(administrator().post('/path/', aDocument({ type: 'Nope' })))],
        [
          'name with a slash',
          async () => {
            const id = await create()
            return act((session) => moveDocument(session, id, { name: 'a/b' }))
          },
        ],
        [
          'versioning option that the type does not allow',
          () => call(administrator().put(`/id/${folder.uid}`, changesTo({ 'dc:title': 'x' }), minor)),
        ],
      ],
      409: [
        [
          'change token mismatch',
          async () => {
            const uid = await create()
            return call(administrator().put(`/id/${uid}`, changesTo({ 'dc:title': 'no' }, { uid, changeToken: '9999-1234' })))
          },
        ],
        [
          'import under an id that is taken',
          async () => {
            const id = await create()
            return act((session) => importDocument(session, { id, parent: null, type: 'File', name: 'x', properties: {} }))
          },
        ],
        [
          'move under itself',
          async () => {
            const id = await create('Folder')
            return act((session) => moveDocument(session, id, { parentId: id }))
          },
        ],
        [
          'copy under itself',
          async () => {
            const id = await create('Folder')
            const { path } = await bench.read(id)
            const inner = await create('Folder', path)
            return act((session) => copyDocument(session, id, { parentId: inner }))
          },
        ],
        [
          'removal of what a proxy shows',
          async () => {
            const id = await create()
            await bench.createProxy(folder.uid, id)
            return call(administrator().delete(`/id/${id}`))
          },
        ],
        [
          'removal under hold',
          async () => {
            const id = await create()
            await server.asSystem((session) => setLegalHold(session, id))
            return call(administrator().delete(`/id/${id}`))
          },
        ],
        [
          'trash under hold',
          async () => {
            const id = await create()
            await server.asSystem((session) => setLegalHold(session, id))
            return act((session) => trashDocument(session, id))
          },
        ],
        [
          'illegal transition',
          async () => {
            const id = await create()
            return act((session) => followTransition(session, id, 'backToProject'))
          },
        ],
        [
          'already locked',
          async () => {
            const id = await create()
            await act((session) => lockDocument(session, id))
            return act((session) => lockDocument(session, id))
          },
        ],
        [
          'already checked in',
          async () => {
            const { live } = await createWithVersion()
            return act((session) => checkInDocument(session, live))
          },
        ],
        [
          'already checked out',
          async () => {
            const id = await create()
            return act((session) => checkOutDocument(session, id))
          },
        ],
      ],
      500: [
        [
          'anything unexpected',
          async () => {
            const id = await create()
            return recorder.failingAt('documentModified', new Error('secret'), () =>
              call(administrator().put(`/id/${id}`, changesTo({ 'dc:title': 'x' }))),
            )
          },
        ],
      ],
    }
    for (const [status, conditions] of Object.entries(rows)) {
      describe(`18 ${status} to`, () => {
        for (const [condition, attempt] of conditions) {
          test(condition, async () => {
            const refusal = await attempt()
            assert.equal(refusal.status, Number(status), refusal.message)
            assert.ok(refusal.message.length > 0)
            if (refusal.status === 500) assert.doesNotMatch(refusal.message, /secret/)
          })
        }
      })
    }
  },
  { plugins: [specimens, recorder.plugin] },
)

/** What a client or a caller in a session learns. */
interface Refusal {
  readonly status: number
  readonly message: string
}
