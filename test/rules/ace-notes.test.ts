import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AddedPermission, addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { removePermission } from '../../src/core/documents/rights/remove-permission.ts'
import { replacePermission } from '../../src/core/documents/rights/replace-permission.ts'
import { runIfDue } from '../../src/core/jobs/schedule.ts'
import type { DocumentEvent } from '../../src/core/session.ts'
import { aceStatusSchedule } from '../../src/features/access/ace-status.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const [past, future] = ['2001-02-03T04:05:06.000Z', '2999-02-03T04:05:06.000Z']

onEachServer(
  'what is kept beside entries',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      for (const user of ['ann', 'bob']) await server.addUser(user, ['members'])
    })
    const add = (uid: string, added: Partial<AddedPermission> = {}) =>
      server.inSession('Administrator', (session) =>
        addPermission(session, uid, { users: ['bob'], permission: 'Read', ...added }),
      )
    const notesOf = async (uid: string) => {
      const entries = await server.asSystem(({ tx }) => tx.directories.list('aceinfo'))
      return entries.filter(({ values }) => values['docId'] === uid).map(({ values }) => values)
    }
    const shown = async (uid: string) => {
      const { contextParameters } = await bench.read(uid, { 'enrichers-document': 'acls', 'fetch-acls': 'extended' })
      return contextParameters.acls[0].aces.map(({ id, notify, comment }: Answered) => [id, notify, comment])
    }
    const notifications = (events: readonly DocumentEvent[]) =>
      events.filter(({ name }) => name === 'permissionNotification').map(({ properties }) => properties)
    const bobsId = 'bob:Read:true:Administrator::'
    const bobsRead = grant('bob', 'Read', { creator: 'Administrator' })

    describe('3.3 in the directory aceinfo', () => {
      test('stands for each new entry under document, repository, ACL and entry', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { notify: true, comment: 'please look', acl: 'collaborators' })
        const id = `${uid}:default:collaborators:${bobsId}`
        const about = { repositoryName: 'default', docId: uid, aclName: 'collaborators', aceId: bobsId }
        assert.deepEqual(await notesOf(uid), [{ id, ...about, notify: true, comment: 'please look' }])
      })
      test('is without a word where nothing was said', async () => {
        const { uid } = await bench.create('Folder')
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Read')] }])
        const [note] = await notesOf(uid)
        assert.deepEqual([note?.['aceId'], note?.['notify'], note?.['comment']], ['bob:Read:true:::', false, null])
      })
      test('is shown by the acls enricher to those who fetch it extended', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { notify: true, comment: 'please look' })
        assert.deepEqual(await shown(uid), [[bobsId, true, 'please look']])
      })
      test('goes with its entry, and only with it', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { users: ['ann', 'bob'], comment: 'both' })
        await server.inSession('Administrator', (session) => removePermission(session, uid, { user: 'ann' }))
        assert.deepEqual(await shown(uid), [[bobsId, false, 'both']])
        assert.equal((await notesOf(uid)).length, 1)
      })
      test('is another when the entry is replaced, even by its like', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { comment: 'first' })
        const replace = (permission: string, comment: string) => () =>
          server.inSession('Administrator', (session) =>
            replacePermission(session, uid, { id: bobsId, username: 'bob', permission, comment }),
          )
        await replace('Read', 'second')()
        assert.deepEqual(await shown(uid), [[bobsId, false, 'second']])
        assert.deepEqual(await recorder.eventsOf(replace('Read', 'second')), [], 'nothing changes')
        await replace('Write', 'third')()
        assert.deepEqual(await shown(uid), [['bob:Write:true:Administrator::', false, 'third']])
        assert.equal((await notesOf(uid)).length, 1)
      })
      test('goes with its document and with all that is below', async () => {
        const folder = await bench.create('Folder')
        const file = await bench.create('File', {}, { parent: folder.path })
        const beside = await bench.create('File')
        for (const { uid } of [folder, file, beside]) await add(uid)
        await server.as('Administrator').delete(`/id/${folder.uid}`)
        const counts = await Promise.all([folder, file, beside].map(async ({ uid }) => (await notesOf(uid)).length))
        assert.deepEqual(counts, [0, 0, 1])
      })
      test('is not kept when the change is not', async () => {
        const { uid } = await bench.create('Folder')
        await assert.rejects(recorder.failingAt('permissionNotification', new Error('no'), () => add(uid, { notify: true })))
        assert.deepEqual(await notesOf(uid), [])
      })
      test('is a system directory that administrators alone may read', () => {
        const definition = server.services.directories.definitions.get('aceinfo')
        assert.deepEqual(
          [definition?.schema, definition?.types, definition?.permissions],
          ['aceinfo', ['system'], { read: [], write: [] }],
        )
      })
    })

    describe('16 permissionNotification', () => {
      test('is told of a grant that counts now, when it was asked for', async () => {
        const { uid } = await bench.create('Folder')
        const events = await recorder.eventsOf(() => add(uid, { users: ['ann', 'bob'], notify: true, blockInheritance: true }))
        assert.equal(readEvent(events, 'permissionNotification').document.id, uid)
        assert.deepEqual(notifications(events), [
          { ace: grant('ann', 'Read', { creator: 'Administrator' }), aclName: 'local' },
          { ace: bobsRead, aclName: 'local' },
        ])
      })
      test('is told of a replaced entry', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid)
        const replaced = { id: bobsId, username: 'bob', permission: 'Write', notify: true }
        const events = await recorder.eventsOf(() =>
          server.inSession('Administrator', (session) => replacePermission(session, uid, replaced)),
        )
        assert.equal(notifications(events).length, 1)
      })
      for (const [what, added] of [
        ['was not asked for', {}],
        ['is yet to come', { notify: true, begin: future }],
        ['is over', { notify: true, end: past }],
      ] as const) {
        test(`is not told where it ${what}`, async () => {
          const { uid } = await bench.create('Folder')
          assert.deepEqual(notifications(await recorder.eventsOf(() => add(uid, added))), [])
        })
      }
    })

    describe('11.4 entries that begin and end by the clock', () => {
      const doneKey = 'schedule/aceStatus/done'
      /** Lets the schedule believe that it was last done at that moment, and that it is its turn. */
      const lookSince = (moment: string) =>
        recorder.eventsOf(async () => {
          await server.asSystem(async ({ tx }) => {
            await tx.transient.set(doneKey, moment, '9999-01-01T00:00:00.000Z')
            await tx.transient.remove('schedule/aceStatus/turn')
          })
          const repository = server.services.repositories.get('default')
          assert.ok(repository)
          await runIfDue(repository, aceStatusSchedule)
        })
      const refsOf = (events: readonly DocumentEvent[]) =>
        events
          .filter(({ name }) => name === 'ACEStatusUpdated')
          .flatMap(({ properties }) => properties['documentRefs'] as string[])

      test('are looked for every five minutes', () => assert.equal(aceStatusSchedule.everySeconds, 300))

      test('are told with their documents: what began and what ended since the last look', async () => {
        const [began, ended, later, lasting] = await Promise.all([1, 2, 3, 4].map(() => bench.create('Folder')))
        await add(began.uid, { begin: '2011-01-01T00:00:00.000Z' })
        await add(ended.uid, { end: '2012-01-01T00:00:00.000Z' })
        await add(later.uid, { begin: future })
        await add(lasting.uid)
        assert.deepEqual(refsOf(await lookSince('2010-01-01T00:00:00.000Z')).sort(), [began.uid, ended.uid].sort())
        assert.deepEqual(refsOf(await lookSince('2011-06-01T00:00:00.000Z')), [ended.uid])
        assert.deepEqual(refsOf(await lookSince('2013-01-01T00:00:00.000Z')), [])
      })
      test('are told once', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { begin: '2021-01-01T00:00:00.000Z' })
        assert.deepEqual(refsOf(await lookSince('2020-01-01T00:00:00.000Z')), [uid])
        const { services } = server
        const again = await recorder.eventsOf(() => runIfDue(services.repositories.get('default') as never, aceStatusSchedule))
        assert.deepEqual(again, [])
        const done = await server.asSystem(({ tx, now }) => tx.transient.find(doneKey, now))
        assert.ok(typeof done === 'string' && done > '2025', 'the next look starts from this one')
      })
      test('are notified when they begin, not when they end', async () => {
        const { uid } = await bench.create('Folder')
        await add(uid, { begin: '2015-01-01T00:00:00.000Z', notify: true })
        await add(uid, { users: ['ann'], begin: '2015-01-01T00:00:00.000Z' })
        await add(uid, { users: ['ann'], end: '2015-01-01T00:00:00.000Z', notify: true })
        const told = (await lookSince('2014-06-01T00:00:00.000Z')).filter(({ document }) => document.id === uid)
        assert.deepEqual(notifications(told), [
          { ace: grant('bob', 'Read', { creator: 'Administrator', begin: '2015-01-01T00:00:00.000Z' }), aclName: 'local' },
        ])
      })
    })
  },
  { plugins: [recorder.plugin] },
)

onEachServer(
  'what is kept beside entries, in another repository',
  (server) => {
    before(() => server.addUser('bob', ['members']))
    test('is kept and shown there', async () => {
      const administrator = server.as('Administrator')
      const folder = { 'entity-type': 'document', type: 'Folder', name: 'noted' }
      const { uid } = requireStatus(201, await administrator.post('/repo/archive/path/default-domain/workspaces', folder))
      await server.inSession(
        'Administrator',
        (session) => addPermission(session, uid, { users: ['bob'], permission: 'Read', comment: 'over there' }),
        'archive',
      )
      const headers = { 'enrichers-document': 'acls', 'fetch-acls': 'extended' }
      const { contextParameters } = requireStatus(200, await administrator.get(`/repo/archive/id/${uid}`, headers))
      const [{ aces }] = contextParameters.acls
      assert.deepEqual([aces[0].id, aces[0].comment], ['bob:Read:true:Administrator::', 'over there'])
    })
  },
  { settings: { repositories: ['default', 'archive'] } },
)
