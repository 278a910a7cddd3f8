import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { removeLegalHold, setLegalHold } from '../../src/core/documents/records/legal-hold.ts'
import { makeRecord } from '../../src/core/documents/records/make-record.ts'
import { setRetention } from '../../src/core/documents/records/set-retention.ts'
import { removeDocument } from '../../src/core/documents/remove-document.ts'
import { trashDocument } from '../../src/core/documents/trash/trash-document.ts'
import { hasPermission } from '../../src/core/permissions.ts'
import { grant } from '../../src/model/rights/acl.ts'
import type { TestServer } from '../../src/testing.ts'
import { assertRefusal } from '../support/refusal.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { workbenchOn } from '../support/workbench.ts'

/** A folder for members of all kinds, and documents in it that are kept. */
function archiveOn(server: TestServer, cleaners: string) {
  const bench = workbenchOn(server)
  let folder = { uid: '', path: '' }
  const make = async () => {
    for (const user of ['bob', 'reader']) await server.addUser(user, ['members'])
    await server.addUser('chief', ['members', 'administrators'])
    await server.addUser('cleaning-chief', ['members', 'administrators', cleaners])
    for (const user of ['record-cleaner', 'weak-cleaner']) await server.addUser(user, ['members', cleaners])
    folder = await bench.create('Folder')
    const entries = ['bob', 'record-cleaner'].map((user) => grant(user, 'Everything'))
    await bench.setAcls(folder.uid, [{ name: 'local', aces: entries }])
  }
  const keep: { readonly [why: string]: (id: string) => Promise<unknown> } = {
    'under retention': (id) =>
      server.asSystem(async (session) => {
        await makeRecord(session, id)
        await setRetention(session, id, '2090-01-01')
      }),
    'retained indeterminately': (id) =>
      server.asSystem(async (session) => {
        await makeRecord(session, id)
        await setRetention(session, id, '9999-01-01')
      }),
    'under legal hold': (id) => server.asSystem((session) => setLegalHold(session, id)),
  }
  const create = async (type = 'File', parent = folder.path) => bench.create(type, {}, { parent })
  return {
    bench,
    make,
    keep,
    create,
    async createKept(why = 'under retention', type = 'File'): Promise<string> {
      const { uid } = await create(type)
      await keep[why]?.(uid)
      return uid
    },
    remove: (user: string, id: string) => server.as(user).delete(`/id/${id}`),
    statusOf: async (id: string) => (await server.as('Administrator').get(`/id/${id}`)).status,
    has: (user: string, id: string, permission: string) =>
      server.inSession(user, async (session) => {
        const document = await session.tx.documents.find(id)
        assert.ok(document)
        return hasPermission(session, document, permission)
      }),
  }
}

const whys = ['under retention', 'retained indeterminately', 'under legal hold']

onEachServer('removing what is kept', (server) => {
  const { make, keep, create, createKept, remove, statusOf, has, bench } = archiveOn(server, 'PlatformRecordCleaners')
  before(make)

  for (const why of whys) {
    describe(`17 a document ${why}`, () => {
      for (const user of ['bob', 'Administrator', 'chief']) {
        test(`is not removed by ${user}: 409`, async () => {
          const id = await createKept(why)
          assertRefused(await remove(user, id), 409, new RegExp(`Cannot remove ${id}, it is under retention / hold$`))
          assert.equal(await statusOf(id), 200)
        })
        test(`is not trashed by ${user}: 409`, async () => {
          const id = await createKept(why)
          const trash = server.inSession(user, (session) => trashDocument(session, id))
          await assertRefusal(trash, 409, `Cannot remove ${id}, it is under retention / hold`)
          assert.equal((await bench.read(id)).isTrashed, false)
        })
      }
      test('is denied with 403 to who could not remove it anyway, who is told nothing of what keeps it', async () => {
        const folder = await create('Folder')
        const { uid } = await create('File', folder.path)
        await keep[why]?.(uid)
        for (const id of [uid, folder.uid]) assertRefused(await remove('reader', id), 403, /Privilege 'Remove' is not granted/)
      })
      test('is not removed by the server itself either', async () => {
        const id = await createKept(why)
        await assertRefusal(
          server.asSystem((session) => removeDocument(session, id)),
          409,
          /under retention/,
        )
      })
      test('keeps every folder above it', async () => {
        const top = await create('Folder')
        const middle = await create('Folder', top.path)
        const { uid } = await create('File', middle.path)
        await keep[why]?.(uid)
        for (const folder of [top, middle]) {
          const message = new RegExp(`Cannot remove ${folder.uid}, subdocument ${uid} is under retention / hold$`)
          assertRefused(await remove('Administrator', folder.uid), 409, message)
          const trash = server.inSession('bob', (session) => trashDocument(session, folder.uid))
          await assertRefusal(trash, 409, `Cannot remove ${folder.uid}, subdocument ${uid} is under retention / hold`)
        }
        assert.deepEqual([await statusOf(uid), await statusOf(middle.uid)], [200, 200])
      })
      test('denies whatever contains Remove, also to administrators Remove itself (11.4)', async () => {
        const id = await createKept(why)
        for (const permission of ['Remove', 'RemoveChildren', 'WriteLifeCycle']) {
          assert.equal(await has('bob', id, permission), false, permission)
        }
        for (const permission of ['WriteProperties', 'AddChildren', 'Write', 'Read', 'Unlock']) {
          assert.equal(await has('bob', id, permission), true, permission)
        }
        assert.equal(await has('Administrator', id, 'Remove'), false)
        assert.equal(await has('Administrator', id, 'RemoveChildren'), true)
      })
      test('shows no such permission', async () => {
        const id = await createKept(why)
        const { body } = await server.as('bob').get(`/id/${id}`, { 'enrichers-document': 'permissions' })
        const { permissions } = body.contextParameters
        for (const permission of ['Remove', 'RemoveChildren', 'WriteLifeCycle']) assert.ok(!permissions.includes(permission))
        assert.ok(permissions.includes('WriteProperties'))
      })
    })
  }

  test('17 a record that nothing keeps is removed like any other', async () => {
    const { uid } = await create()
    await server.asSystem((session) => makeRecord(session, uid))
    assert.equal((await remove('bob', uid)).status, 204)
  })
  test('17 a document is removable again once its hold is gone or its retention is over', async () => {
    const held = await createKept('under legal hold')
    await server.asSystem((session) => removeLegalHold(session, held))
    const retained = await createKept()
    await bench.change(retained, { retainUntil: '2001-01-01T00:00:00.000Z' })
    for (const id of [held, retained]) assert.equal((await remove('bob', id)).status, 204)
  })
  test('17 a bulk removal with one that is kept removes none', async () => {
    const [kept, { uid }] = [await createKept(), await create()]
    assertRefused(await server.as('Administrator').delete(`/bulk;id=${uid};id=${kept}`), 409, /under retention/)
    assert.deepEqual([await statusOf(uid), await statusOf(kept)], [200, 200])
  })
  test('17 a proxy to what is kept is removed, and what it shows stays', async () => {
    const id = await createKept()
    const proxy = await bench.createProxy((await create('Folder')).uid, id)
    assert.equal((await remove('bob', proxy)).status, 204)
    assert.equal(await statusOf(id), 200)
  })

  describe('17 members of PlatformRecordCleaners', () => {
    for (const why of whys) {
      for (const user of ['record-cleaner', 'cleaning-chief']) {
        test(`remove what is ${why}: ${user}`, async () => {
          const id = await createKept(why)
          assert.equal(await has(user, id, 'Remove'), true)
          assert.equal((await remove(user, id)).status, 204)
          assert.equal(await statusOf(id), 404)
        })
      }
    }
    test('remove a folder with it', async () => {
      const folder = await create('Folder')
      await keep['under legal hold']?.((await create('File', folder.path)).uid)
      assert.equal((await remove('record-cleaner', folder.uid)).status, 204)
    })
    test('need the usual rights to remove all the same', async () => {
      const id = await createKept()
      assertRefused(await remove('weak-cleaner', id), 403, /Privilege 'Remove' is not granted to 'weak-cleaner'$/)
    })
  })
})

onEachServer(
  'removing what is kept, strictly',
  (server) => {
    const { make, createKept, remove, statusOf, has } = archiveOn(server, 'PlatformRecordCleaners')
    before(make)
    for (const why of whys) {
      for (const user of ['bob', 'record-cleaner', 'cleaning-chief', 'Administrator']) {
        test(`17 is for nobody while it is ${why}: ${user}`, async () => {
          const id = await createKept(why)
          assertRefused(await remove(user, id), 409, /under retention/)
          assert.equal(await has(user, id, 'Remove'), false)
          assert.equal(await statusOf(id), 200)
        })
      }
    }
  },
  { settings: { retentionComplianceEnabled: true } },
)

onEachServer(
  'removing what is kept, where the vendor has another name',
  (server) => {
    const { make, createKept, remove } = archiveOn(server, 'AcmeRecordCleaners')
    before(make)
    test('17, 21 is for the group of that name', async () => {
      assert.equal((await remove('record-cleaner', await createKept())).status, 204)
      assert.equal((await remove('bob', await createKept())).status, 409)
    })
  },
  { settings: { vendor: 'acme' } },
)
