import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder } from '../support/event-recorder.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { inheritedFromRoot, readAclIds } from '../support/shown-acls.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const [past, future] = ['2001-02-03T04:05:06.000Z', '2999-02-03T04:05:06.000Z']

onEachServer(
  '2.3 lists of entries',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    before(async () => {
      for (const user of ['ann', 'bob']) await server.addUser(user, ['members'])
    })
    const run = async (operation: string, uid: string, params: object = {}, user?: string) => {
      const { 'entity-type': type, uid: shown } = requireStatus(
        200,
        await operationsOn(server, user)(operation, { input: uid, params }),
      )
      assert.deepEqual([type, shown], ['document', uid])
      return readAclIds(server, uid)
    }
    const aFolder = async (): Promise<string> => (await bench.create('Folder')).uid

    describe('Document.BlockPermissionInheritance', () => {
      const staying = ['Administrator:Everything:true:Administrator::', 'administrators:Everything:true:::']

      test('adds the block behind entries for the caller and the administrators', async () => {
        assert.deepEqual(await run('Document.BlockPermissionInheritance', await aFolder()), {
          local: [...staying, 'Everyone:Everything:false:::'],
        })
      })
      test('keeps whoever calls it in', async () => {
        const uid = await aFolder()
        await bench.setAcls(uid, [{ name: 'local', aces: [grant('ann', 'Everything')] }])
        const { local } = await run('Document.BlockPermissionInheritance', uid, {}, 'ann')
        assert.deepEqual(local?.slice(1, 2), ['ann:Everything:true:ann::'])
        assert.equal((await server.as('ann').get(`/id/${uid}`)).status, 200)
        assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 403)
      })
      test('adds it to the list that is named', async () => {
        const { collaborators } = await run('Document.BlockPermissionInheritance', await aFolder(), { acl: 'collaborators' })
        assert.deepEqual(collaborators, [...staying, 'Everyone:Everything:false:::'])
      })
      test('does nothing a second time, and tells nobody', async () => {
        const uid = await aFolder()
        const once = await run('Document.BlockPermissionInheritance', uid)
        const events = await recorder.eventsOf(() => run('Document.BlockPermissionInheritance', uid))
        assert.deepEqual(events, [])
        assert.deepEqual(await readAclIds(server, uid), once)
      })
      test('works on each document of a list', async () => {
        const uids = [await aFolder(), await aFolder()]
        const answer = await call('Document.BlockPermissionInheritance', { input: `docs:${uids.join(',')}` })
        assert.equal(requireStatus(200, answer).entries.length, 2)
        for (const uid of uids) assert.equal((await readAclIds(server, uid))['inherited'], undefined)
      })
    })

    describe('Document.UnblockPermissionInheritance', () => {
      test('takes the block and leaves the other entries', async () => {
        const uid = await aFolder()
        await run('Document.BlockPermissionInheritance', uid)
        assert.deepEqual(await run('Document.UnblockPermissionInheritance', uid), {
          local: ['Administrator:Everything:true:Administrator::', 'administrators:Everything:true:::'],
          inherited: inheritedFromRoot,
        })
      })
      test('takes it from the list that is named alone', async () => {
        const uid = await aFolder()
        await run('Document.BlockPermissionInheritance', uid, { acl: 'collaborators' })
        assert.equal((await run('Document.UnblockPermissionInheritance', uid))['inherited'], undefined)
        const unblocked = await run('Document.UnblockPermissionInheritance', uid, { acl: 'collaborators' })
        assert.deepEqual(unblocked['inherited'], inheritedFromRoot)
      })
      test('is content where nothing is blocked', async () => {
        assert.deepEqual(await run('Document.UnblockPermissionInheritance', await aFolder()), { inherited: inheritedFromRoot })
      })
    })

    describe('Document.AddACE', () => {
      const before = [
        { name: 'collaborators', aces: [grant('bob', 'Read')] },
        { name: 'local', aces: [grant('bob', 'Write')] },
      ]
      const addTo = async (params: object, id = 'Document.AddACE') => {
        const uid = await aFolder()
        await bench.setAcls(uid, before)
        const { local, collaborators } = await run(id, uid, { user: 'ann', permission: 'Read', ...params })
        return { local, collaborators }
      }
      const bobs = { local: ['bob:Write:true:::'], collaborators: ['bob:Read:true:::'] }

      test('makes the entry all of its list and leaves the others', async () => {
        assert.deepEqual(await addTo({}), { ...bobs, local: ['ann:Read:true:::'] })
        assert.deepEqual(await addTo({ acl: 'collaborators' }, 'Document.SetACE'), {
          ...bobs,
          collaborators: ['ann:Read:true:::'],
        })
      })
      test('adds to the list where it is not to overwrite', async () => {
        assert.deepEqual(await addTo({ overwrite: false }), { ...bobs, local: ['bob:Write:true:::', 'ann:Read:true:::'] })
      })
      test('denies', async () => {
        assert.deepEqual(await addTo({ permission: 'Write', grant: false }), { ...bobs, local: ['ann:Write:false:::'] })
      })
      test('refuses to deny what may not be denied', async () => {
        const uid = await aFolder()
        const params = { user: 'ann', permission: 'Read', grant: false }
        assertRefused(await call('Document.AddACE', { input: uid, params }), 400, /Negative ACL not allowed: ann:Read:false/)
        assert.equal((await readAclIds(server, uid))['local'], undefined)
      })
      for (const missing of ['user', 'permission']) {
        test(`needs ${missing}`, async () => {
          const params = { user: 'ann', permission: 'Read', [missing]: undefined }
          const answer = await call('Document.AddACE', { input: await aFolder(), params })
          assertRefused(answer, 400, new RegExp(`Failed to inject parameter '${missing}'`))
        })
      }
    })

    describe('Document.RemoveACL', () => {
      test('takes the list that is named and leaves the others', async () => {
        const uid = await aFolder()
        const [local, other] = [
          { name: 'local', aces: [grant('ann', 'Read')] },
          { name: 'collaborators', aces: [grant('bob', 'Read'), deny('bob', 'Write')] },
        ]
        await bench.setAcls(uid, [other, local])
        assert.deepEqual(await run('Document.RemoveACL', uid, { acl: 'collaborators' }), {
          local: ['ann:Read:true:::'],
          inherited: inheritedFromRoot,
        })
      })
      test('is content where there is none of the name', async () => {
        assert.deepEqual(await run('Document.RemoveACL', await aFolder(), { acl: 'other' }), { inherited: inheritedFromRoot })
      })
      test('needs the name of the list', async () => {
        assertRefused(await call('Document.RemoveACL', { input: await aFolder() }), 400, /Failed to inject parameter 'acl'/)
      })
      test('refuses the inherited list', async () => {
        const answer = await call('Document.RemoveACL', { input: await aFolder(), params: { acl: 'inherited' } })
        assertRefused(answer, 400, /What a document inherits cannot be changed on it/)
      })
    })

    describe('a blank name of a list', () => {
      const entry = { user: 'ann', permission: 'Read' }

      for (const acl of ['', ' ', null]) {
        test(`is the local list where entries are changed: ${JSON.stringify(acl)}`, async () => {
          const uid = await aFolder()
          const aclsAfter = async (operation: string, params: object) => {
            const { inherited: _, ...own } = await run(`Document.${operation}`, uid, { ...params, acl })
            return own
          }
          const local = ['ann:Read:true:Administrator::']
          assert.deepEqual(await aclsAfter('AddPermission', entry), { local })
          const next = { id: local[0], username: 'ann', permission: 'Write' }
          assert.deepEqual(await aclsAfter('ReplacePermission', next), { local: ['ann:Write:true:Administrator::'] })
          assert.deepEqual(await aclsAfter('RemovePermission', { user: 'ann' }), {})
          assert.deepEqual(await aclsAfter('AddACE', entry), { local: ['ann:Read:true:::'] })
          assert.deepEqual(Object.keys(await aclsAfter('BlockPermissionInheritance', {})), ['local'])
          assert.equal((await aclsAfter('UnblockPermissionInheritance', {}))['local']?.length, 3)
        })
      }
      test('takes no list but one that has it', async () => {
        const uid = await aFolder()
        const local = { name: 'local', aces: [grant('ann', 'Read')] }
        await bench.setAcls(uid, [{ name: '', aces: [grant('bob', 'Read')] }, local])
        assert.deepEqual(await run('Document.RemoveACL', uid, { acl: '' }), {
          local: ['ann:Read:true:::'],
          inherited: inheritedFromRoot,
        })
      })
    })

    describe('notify', () => {
      const anns = grant('ann', 'Read', { creator: 'Administrator' })
      const told = async (operation: string, uid: string, params: object) => {
        const events = await recorder.eventsOf(() => run(operation, uid, params))
        return events.filter(({ name }) => name === 'permissionNotification').map(({ properties }) => properties['ace'])
      }

      test('has Document.AddPermission tell of each new entry', async () => {
        const params = { users: ['ann', 'bob'], permission: 'Read' }
        assert.deepEqual(await told('Document.AddPermission', await aFolder(), params), [])
        const notified = await told('Document.AddPermission', await aFolder(), { ...params, notify: true, comment: 'look' })
        assert.deepEqual(notified, [anns, { ...anns, username: 'bob' }])
      })
      test('has Document.ReplacePermission tell of the entry that is put there', async () => {
        const uid = await aFolder()
        await run('Document.AddPermission', uid, { users: ['ann'], permission: 'Read' })
        const params = { id: 'ann:Read:true:Administrator::', username: 'ann', permission: 'Write', notify: true }
        assert.deepEqual(await told('Document.ReplacePermission', uid, params), [{ ...anns, permission: 'Write' }])
      })
    })

    describe('Document.SendNotificationEmailForPermission', () => {
      const anns = 'ann:Read:true:::'
      const told = async (uid: string, id: string) => {
        const events = await recorder.eventsOf(() => run('Document.SendNotificationEmailForPermission', uid, { id }))
        return events.map(({ name, document, properties }) => [name, document.id, properties['aclName'], properties['ace']])
      }
      const granted = async (...aces: Parameters<typeof grant>[]) => {
        const uid = await aFolder()
        await bench.setAcls(uid, [{ name: 'collaborators', aces: aces.map((ace) => grant(...ace)) }])
        return uid
      }

      test('tells of the entry once more, whichever list it is in', async () => {
        const uid = await granted(['ann', 'Read'], ['bob', 'Read'])
        assert.deepEqual(await told(uid, anns), [['permissionNotification', uid, 'collaborators', grant('ann', 'Read')]])
      })
      test('is silent where there is no such entry', async () => {
        assert.deepEqual(await told(await granted(['bob', 'Read']), anns), [])
      })
      test('is silent of an entry that does not count now', async () => {
        const ended = await granted(['ann', 'Read', { end: past }])
        assert.deepEqual(await told(ended, `ann:Read:true:::${Date.parse(past)}`), [])
        const pending = await granted(['ann', 'Read', { begin: future }])
        assert.deepEqual(await told(pending, `ann:Read:true::${Date.parse(future)}:`), [])
      })
      test('refuses an id that is none', async () => {
        const answer = await call('Document.SendNotificationEmailForPermission', { input: await aFolder(), params: { id: 'x' } })
        assertRefused(answer, 400, /Invalid ACE id: x/)
      })
      test('needs an id', async () => {
        const answer = await call('Document.SendNotificationEmailForPermission', { input: await aFolder() })
        assertRefused(answer, 400, /Failed to inject parameter 'id'/)
      })
    })

    describe('without WriteSecurity', () => {
      const rows: [operation: string, params: object][] = [
        ['Document.BlockPermissionInheritance', {}],
        ['Document.UnblockPermissionInheritance', {}],
        ['Document.AddACE', { user: 'ann', permission: 'Everything' }],
        ['Document.RemoveACL', { acl: 'local' }],
        ['Document.SendNotificationEmailForPermission', { id: 'bob:Write:true:::' }],
      ]
      for (const [operation, params] of rows) {
        test(`${operation} is refused and changes nothing`, async () => {
          const uid = await aFolder()
          await bench.setAcls(uid, [{ name: 'local', aces: [grant('bob', 'Write')] }])
          const events = await recorder.eventsOf(async () =>
            assertRefused(await operationsOn(server, 'bob')(operation, { input: uid, params }), 403, /'WriteSecurity'/),
          )
          assert.deepEqual(events, [])
          assert.deepEqual((await readAclIds(server, uid))['local'], ['bob:Write:true:::'])
        })
      }
    })
  },
  { plugins: [recorder.plugin] },
)
