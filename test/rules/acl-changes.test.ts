import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AddedPermission, addPermission } from '../../src/core/documents/rights/add-permission.ts'
import { blockInheritance, unblockInheritance } from '../../src/core/documents/rights/block-inheritance.ts'
import { removeAcl, removePermission } from '../../src/core/documents/rights/remove-permission.ts'
import { type ReplacedPermission, replacePermission } from '../../src/core/documents/rights/replace-permission.ts'
import { type OnlyAce, setAce } from '../../src/core/documents/rights/set-ace.ts'
import type { WriteSession } from '../../src/core/session.ts'
import { type Ace, type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import { createEventRecorder, readEvent } from '../support/event-recorder.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { inheritedFromRoot, readAclIds } from '../support/shown-acls.ts'
import { workbenchOn } from '../support/workbench.ts'

const recorder = createEventRecorder()
const local = (...aces: readonly Ace[]): Acl => ({ name: 'local', aces })
const blockId = 'Everyone:Everything:false:::'
const [begin, end] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']
const dates = `${Date.parse(begin)}:${Date.parse(end)}`

onEachServer(
  '3.3 changing ACLs',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      for (const user of ['ann', 'bob', 'carol']) await server.addUser(user, ['members'])
    })
    const createWith = async (...aces: readonly Ace[]) => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [local(...aces)])
      return uid
    }
    /** A folder that ann may change the rights of. */
    const createForAnn = () => createWith(grant('ann', 'Everything'))
    const annsOwn = 'ann:Everything:true:::'
    const asAnn = <Result>(act: (session: WriteSession) => Promise<Result>) => server.inSession('ann', act)
    const add = (uid: string, added: AddedPermission) => asAnn((session) => addPermission(session, uid, added))
    const localIds = async (uid: string) => (await readAclIds(server, uid))['local']

    describe('adding a permission', () => {
      test('adds one granted entry for each user or group, created by the caller', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['bob', 'members'], permission: 'ReadWrite', begin, end })
        assert.deepEqual(await localIds(uid), [annsOwn, `bob:ReadWrite:true:ann:${dates}`, `members:ReadWrite:true:ann:${dates}`])
      })
      test('goes to the named ACL', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['bob'], permission: 'Read', acl: 'collaborators' })
        assert.deepEqual((await readAclIds(server, uid))['collaborators'], ['bob:Read:true:ann::'])
      })
      test('goes right before a block that ends the ACL', async () => {
        const uid = await createWith(grant('ann', 'Everything'), deny('Everyone', 'Everything'))
        await add(uid, { users: ['bob', 'carol'], permission: 'Read' })
        assert.deepEqual(await localIds(uid), [annsOwn, 'bob:Read:true:ann::', 'carol:Read:true:ann::', blockId])
      })
      test('that is there already adds none and tells nobody', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['bob'], permission: 'Read', end })
        const events = await recorder.eventsOf(() => add(uid, { users: ['bob'], permission: 'Read', end, comment: 'again' }))
        assert.deepEqual(events, [])
        await add(uid, { users: ['bob'], permission: 'Read' })
        assert.equal((await localIds(uid))?.length, 3, 'another end is another entry')
      })
      test('may block inheritance too', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['bob'], permission: 'Read', blockInheritance: true })
        assert.deepEqual(await readAclIds(server, uid), {
          local: [annsOwn, 'ann:Everything:true:ann::', 'administrators:Everything:true:::', 'bob:Read:true:ann::', blockId],
        })
      })
      test('takes Everyone and somebody invited by mail', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['Everyone', 'transient/eve@x.org'], permission: 'Read' })
        await add(uid, { email: 'joe@x.org', permission: 'Read', end })
        assert.deepEqual(await localIds(uid), [
          annsOwn,
          'Everyone:Read:true:ann::',
          'transient/eve@x.org:Read:true:ann::',
          `transient/joe@x.org:Read:true:ann::${Date.parse(end)}`,
        ])
      })
      test('looks at a mail address only when no user is named', async () => {
        const uid = await createForAnn()
        await add(uid, { users: ['bob'], email: 'joe@x.org', permission: 'Read' })
        assert.deepEqual(await localIds(uid), [annsOwn, 'bob:Read:true:ann::'])
      })
      const refused: readonly [what: string, added: AddedPermission, message: string | RegExp][] = [
        ['nobody', { permission: 'Read' }, "'users' or 'email' parameters must be set"],
        ['blank names', { users: ['', ' '], email: ' ', permission: 'Read' }, "'users' or 'email' parameters must be set"],
        [
          'a mail address without an end',
          { email: 'joe@x.org', permission: 'Read' },
          "'end' parameter must be set when adding a permission for an 'email'",
        ],
        [
          'names that do not exist',
          { users: ['ghost', 'bob', 'phantom'], permission: 'Read' },
          'The following set of User or Group names do not exist: [ghost,phantom]. Please provide valid ones.',
        ],
        ['a permission that does not exist', { users: ['bob'], permission: 'Fly' }, 'Permission Fly is invalid.'],
        [
          'an end before the beginning',
          { users: ['bob'], permission: 'Read', begin: end, end: begin },
          /begins at .* after its end/,
        ],
        ['what is inherited', { users: ['bob'], permission: 'Read', acl: 'inherited' }, /inherits cannot be changed/],
      ]
      test('is refused without the right to, before anybody learns which names there are', async () => {
        const { uid } = await bench.create('Folder')
        const added = { users: ['ghost'], permission: 'Read' }
        await assertRefusal(
          server.inSession('ann', (session) => addPermission(session, uid, added)),
          403,
          privilegeMissing('WriteSecurity', 'ann'),
        )
      })
      for (const [what, added, message] of refused) {
        test(`is refused for ${what}`, async () => {
          const uid = await createForAnn()
          await assertRefusal(add(uid, added), 400, message)
          assert.deepEqual(await localIds(uid), [annsOwn])
        })
      }
    })

    describe('replacing a permission', () => {
      const bobsRead = grant('bob', 'Read', { creator: 'Administrator' })
      const bobsId = 'bob:Read:true:Administrator::'
      const replace = (uid: string, id: string, to: Omit<ReplacedPermission, 'id'>) =>
        asAnn((session) => replacePermission(session, uid, { id, ...to }))
      const create = () => createWith(grant('ann', 'Everything'), bobsRead, grant('members', 'Read'))

      test('puts another in its place', async () => {
        const uid = await create()
        await replace(uid, bobsId, { username: 'carol', permission: 'Write', begin, end })
        assert.deepEqual(await localIds(uid), [annsOwn, `carol:Write:true:ann:${dates}`, 'members:Read:true:::'])
      })
      test('tells the old entry, the new one and their ACL', async () => {
        const uid = await create()
        const events = await recorder.eventsOf(() => replace(uid, bobsId, { username: 'bob', permission: 'Write' }))
        for (const name of ['beforeDocumentSecurityModification', 'documentSecurityUpdated']) {
          const { oldACE, newACE, changedACLName } = readEvent(events, name).properties
          assert.deepEqual([oldACE, newACE, changedACLName], [bobsRead, grant('bob', 'Write', { creator: 'ann' }), 'local'])
        }
      })
      test('does nothing for an id that is not there', async () => {
        const uid = await create()
        const events = await recorder.eventsOf(() => replace(uid, 'joe:Read:true:::', { username: 'bob', permission: 'Write' }))
        assert.deepEqual([events, (await localIds(uid))?.length], [[], 3])
      })
      test('does nothing in another ACL than the named one', async () => {
        const uid = await create()
        await replace(uid, bobsId, { username: 'bob', permission: 'Write', acl: 'collaborators' })
        assert.deepEqual(await localIds(uid), [annsOwn, bobsId, 'members:Read:true:::'])
      })
      test('is refused for what is no id', async () => {
        const uid = await create()
        await assertRefusal(replace(uid, 'bob:Read', { username: 'bob', permission: 'Write' }), 400, /^Invalid ACE id: bob:Read/)
      })
      test('is refused for an end before the beginning', async () => {
        const uid = await create()
        const wrong = { username: 'bob', permission: 'Write', begin: end, end: begin }
        await assertRefusal(replace(uid, bobsId, wrong), 400, /begins at/)
      })
    })

    describe('removing a permission', () => {
      const remove = (uid: string, removed: { id?: string; user?: string; acl?: string }) =>
        asAnn((session) => removePermission(session, uid, removed))
      const create = () => createWith(grant('ann', 'Everything'), grant('bob', 'Read'), grant('bob', 'Write'))

      test('takes the entry of the id', async () => {
        const uid = await create()
        await remove(uid, { id: 'bob:Read:true:::' })
        assert.deepEqual(await localIds(uid), [annsOwn, 'bob:Write:true:::'])
      })
      test('takes all entries of the user, who counts before an id', async () => {
        const uid = await create()
        await remove(uid, { user: 'bob', id: 'ann:Everything:true:::' })
        assert.deepEqual(await localIds(uid), [annsOwn])
      })
      test('takes nothing, and tells nobody, for what is not there', async () => {
        const uid = await create()
        const events = await recorder.eventsOf(async () => {
          await remove(uid, { user: 'joe' })
          await remove(uid, { id: 'joe:Read:true:::' })
          await remove(uid, { user: 'bob', acl: 'collaborators' })
        })
        assert.deepEqual([events, (await localIds(uid))?.length], [[], 3])
      })
      test('is refused without an id and a user, and for what is no id', async () => {
        const uid = await create()
        await assertRefusal(remove(uid, {}), 400, "'id' or 'user' parameter must be set")
        await assertRefusal(remove(uid, { id: 'bob' }), 400, /^Invalid ACE id: bob/)
      })
    })

    describe('setting one entry, as of old', () => {
      const set = (uid: string, only: OnlyAce) => asAnn((session) => setAce(session, uid, only))
      const create = async () => {
        const { uid } = await bench.create('Folder')
        await bench.setAcls(uid, [local(grant('carol', 'Read')), { name: 'routing', aces: [grant('ann', 'Everything')] }])
        return uid
      }
      test('makes it the whole ACL, and leaves the others', async () => {
        const uid = await create()
        await set(uid, { user: 'bob', permission: 'Write' })
        assert.deepEqual(await readAclIds(server, uid), {
          routing: [annsOwn],
          local: ['bob:Write:true:::'],
          inherited: inheritedFromRoot,
        })
      })
      test('adds it to the ACL without overwrite', async () => {
        const uid = await create()
        await set(uid, { user: 'bob', permission: 'Write', granted: false, overwrite: false })
        assert.deepEqual(await localIds(uid), ['carol:Read:true:::', 'bob:Write:false:::'])
      })
      test('goes to the named ACL, and tells nobody when it is so already', async () => {
        const uid = await create()
        await set(uid, { user: 'bob', permission: 'Read', acl: 'workflow' })
        assert.deepEqual((await readAclIds(server, uid))['workflow'], ['bob:Read:true:::'])
        const again = () => set(uid, { user: 'bob', permission: 'Read', acl: 'workflow' })
        assert.deepEqual(await recorder.eventsOf(again), [])
      })
      test('denies only what may be denied', async () => {
        await assertRefusal(
          set(await create(), { user: 'bob', permission: 'Read', granted: false }),
          400,
          /^Negative ACL not allowed/,
        )
      })
    })

    describe('removing an ACL', () => {
      test('drops all of it and nothing else, and tells nobody where there is none', async () => {
        const { uid } = await bench.create('Folder')
        await bench.setAcls(uid, [local(grant('ann', 'Everything')), { name: 'routing', aces: [grant('bob', 'Read')] }])
        const drop = () => asAnn((session) => removeAcl(session, uid, 'routing'))
        const events = await recorder.eventsOf(drop)
        assert.equal(readEvent(events, 'documentSecurityUpdated').document.id, uid)
        assert.deepEqual(await readAclIds(server, uid), { local: [annsOwn], inherited: inheritedFromRoot })
        assert.deepEqual(await recorder.eventsOf(drop), [])
      })
    })

    describe('every change', () => {
      const changes: { readonly [name: string]: (session: WriteSession, uid: string) => Promise<unknown> } = {
        'adding a permission': (session, uid) => addPermission(session, uid, { users: ['carol'], permission: 'Read' }),
        'replacing a permission': (session, uid) =>
          replacePermission(session, uid, { id: 'bob:ReadWrite:true:::', username: 'bob', permission: 'Read' }),
        'removing a permission': (session, uid) => removePermission(session, uid, { user: 'bob' }),
        'blocking inheritance': (session, uid) => blockInheritance(session, uid),
        'unblocking inheritance': (session, uid) => unblockInheritance(session, uid, 'routing'),
        'setting an entry': (session, uid) => setAce(session, uid, { user: 'bob', permission: 'Read' }),
        'removing an ACL': (session, uid) => removeAcl(session, uid, 'local'),
      }
      const create = async () => {
        const { uid } = await bench.create('Folder')
        const routing = { name: 'routing', aces: [grant('bob', 'ReadWrite'), deny('Everyone', 'Everything')] }
        await bench.setAcls(uid, [local(grant('bob', 'ReadWrite')), routing])
        return uid
      }
      for (const [name, change] of Object.entries(changes)) {
        test(`needs WriteSecurity: ${name}`, async () => {
          const uid = await create()
          const attempt = server.inSession('bob', (session) => change(session, uid))
          await assertRefusal(attempt, 403, privilegeMissing('WriteSecurity', 'bob'))
        })
        test(`is told before and after with the ACP as it was and is: ${name}`, async () => {
          const uid = await create()
          const events = await recorder.eventsOf(() => server.inSession('Administrator', (session) => change(session, uid)))
          assert.deepEqual(
            events.map((event) => event.name).filter((one) => one.includes('Security')),
            ['beforeDocumentSecurityModification', 'documentSecurityUpdated'],
          )
          const [told, done] = [
            readEvent(events, 'beforeDocumentSecurityModification'),
            readEvent(events, 'documentSecurityUpdated'),
          ]
          const { oldACP, newACP } = done.properties
          assert.deepEqual([told.properties, told.document.acls, done.document.acls], [done.properties, oldACP, newACP])
          assert.notDeepEqual(oldACP, newACP)
        })
        test(`is not done when a listener objects: ${name}`, async () => {
          const uid = await create()
          const before = await readAclIds(server, uid)
          const attempt = () => server.inSession('Administrator', (session) => change(session, uid))
          await assert.rejects(recorder.failingAt('documentSecurityUpdated', new Error('no'), attempt), { message: 'no' })
          assert.deepEqual(await readAclIds(server, uid), before)
        })
      }
    })
  },
  { plugins: [recorder.plugin] },
)
