import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { groupDirectory, groupMembers, subGroups } from '../../src/core/directories/people.ts'
import { type Ace, deny, grant } from '../../src/model/rights/acl.ts'
import { everyone } from '../../src/model/rights/principal.ts'
import { aDocument, assertRefused, changesTo, privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, workbenchOn } from '../support/workbench.ts'

/** What each permission contains directly. */
const contained: { readonly [permission: string]: readonly string[] } = {
  ReadProperties: ['Browse'],
  Read: ['Browse', 'ReadVersion', 'ReadProperties', 'ReadChildren', 'ReadLifeCycle', 'ReadSecurity', 'ReviewParticipant'],
  WriteVersion: ['WriteProperties'],
  Version: ['ReadVersion', 'WriteVersion'],
  Remove: ['RemoveChildren', 'WriteLifeCycle'],
  ReadRemove: ['Read', 'Remove'],
  Write: ['AddChildren', 'WriteProperties', 'Remove', 'ManageWorkflows', 'WriteLifeCycle', 'WriteVersion'],
  ReadWrite: ['Read', 'Write'],
  Comment: ['WriteLifeCycle'],
  ReadCanCollect: ['Read', 'WriteProperties'],
  DataVisualization: ['Read'],
}
const atomic = [
  'Browse',
  'ReadChildren',
  'ReadLifeCycle',
  'ReviewParticipant',
  'ReadSecurity',
  'ReadVersion',
  'WriteProperties',
  'AddChildren',
  'RemoveChildren',
  'ManageWorkflows',
  'WriteLifeCycle',
  'Unlock',
  'WriteSecurity',
  'RestrictedRead',
  'MakeRecord',
  'SetRetention',
  'ManageLegalHold',
  'CanAskForPublishing',
  'Moderate',
]

const withContained = (permissions: readonly string[]): Set<string> =>
  new Set(permissions.flatMap((one) => [one, ...withContained(contained[one] ?? [])]))

const past = '2001-01-01T00:00:00.000Z'
const future = '2999-01-01T00:00:00.000Z'

onEachServer(
  'permissions',
  (server) => {
    const bench = workbenchOn(server)
    before(async () => {
      await server.addUser('bob', ['members'])
      await server.addUser('carol')
      await server.addUser('dave', ['editors'])
      await server.addUser('erin', ['operators'])
      await server.services.directories.store.transact(async ({ directories }) => {
        for (const id of ['editors', 'staff', 'company', 'operators']) {
          await directories.insert(groupDirectory, { id, values: { groupname: id } })
        }
        // Groups within groups, in a circle: editors belong to staff, staff to company, and company to editors.
        await directories.replaceTargets(subGroups, 'staff', ['editors'])
        await directories.replaceTargets(subGroups, 'company', ['staff'])
        await directories.replaceTargets(subGroups, 'editors', ['company'])
        await directories.replaceTargets(subGroups, 'administrators', ['operators'])
      })
    })

    const setLocal = (uid: string, aces: readonly Ace[]) => bench.setAcls(uid, [{ name: 'local', aces }])
    const createWith = async (aces: readonly Ace[], parent?: Answered): Promise<Answered> => {
      const folder = await bench.create('Folder', {}, parent && { parent: parent.path })
      await setLocal(folder.uid, aces)
      return folder
    }
    /** What the user can do to the folder, found out by doing it. */
    const tryAll = async (user: string, uid: string) => {
      const caller = server.as(user)
      const can: string[] = []
      if ((await caller.get(`/id/${uid}`)).status === 200) can.push('read')
      if ((await caller.post(`/id/${uid}`, aDocument({ type: 'Folder' }))).status === 201) can.push('add')
      if ((await caller.put(`/id/${uid}`, changesTo({ 'dc:title': crypto.randomUUID() }))).status === 200) can.push('write')
      return can.join(' ')
    }

    describe('let bob, who inherits Read, with these entries', () => {
      const rows: readonly [entries: string, aces: readonly Ace[], can: string][] = [
        ['none', [], 'read'],
        ['Write granted to him', [grant('bob', 'Write')], 'read add write'],
        ['AddChildren granted to him', [grant('bob', 'AddChildren')], 'read add'],
        ['WriteProperties granted to him', [grant('bob', 'WriteProperties')], 'read write'],
        ['WriteVersion granted to him', [grant('bob', 'WriteVersion')], 'read write'],
        ['ReadCanCollect granted to him', [grant('bob', 'ReadCanCollect')], 'read write'],
        ['ReadWrite granted to his group', [grant('members', 'ReadWrite')], 'read add write'],
        ['Everything granted to everyone', [grant(everyone, 'Everything')], 'read add write'],
        ['Everything granted to someone else', [grant('carol', 'Everything')], 'read'],
        ['Everything granted to another spelling of him', [grant('Bob', 'Everything')], 'read'],
        ['Read denied to him', [deny('bob', 'Read')], ''],
        ['Read denied to his group', [deny('members', 'Read')], ''],
        ['Everything denied to him', [deny('bob', 'Everything')], ''],
        ['Everything denied to everyone', [deny(everyone, 'Everything')], ''],
        ['Read granted, then denied', [grant('bob', 'Read'), deny('bob', 'Read')], 'read'],
        ['Read denied, then granted', [deny('bob', 'Read'), grant('bob', 'Read')], ''],
        ['Read granted, then everyone denied everything', [grant('bob', 'Read'), deny(everyone, 'Everything')], 'read'],
        ['Browse denied, which contains no Read', [deny('bob', 'Browse')], 'read'],
        ['Write denied, then ReadWrite granted', [deny('bob', 'Write'), grant('bob', 'ReadWrite')], 'read'],
        ['WriteProperties denied, then Write granted', [deny('bob', 'WriteProperties'), grant('bob', 'Write')], 'read add'],
        ['Write denied to his group, then granted to him', [deny('members', 'Write'), grant('bob', 'Write')], 'read'],
        ['Write granted to him, then denied to his group', [grant('bob', 'Write'), deny('members', 'Write')], 'read add write'],
        ['Write granted from the future on', [grant('bob', 'Write', { begin: future })], 'read'],
        ['Write granted until the past', [grant('bob', 'Write', { end: past })], 'read'],
        ['Write granted for now', [grant('bob', 'Write', { begin: past, end: future })], 'read add write'],
        ['Read denied until the past', [deny('bob', 'Read', { end: past })], 'read'],
        ['Read denied for now', [deny('bob', 'Read', { begin: past, end: future })], ''],
        ['everyone denied everything from the future on', [deny(everyone, 'Everything', { begin: future })], 'read'],
        ['everyone denied everything for now', [deny(everyone, 'Everything', { end: future })], ''],
      ]
      for (const [entries, aces, can] of rows) {
        test(`${entries}: ${can || 'do nothing'}`, async () => {
          const { uid } = await createWith(aces)
          assert.equal(await tryAll('bob', uid), can)
        })
      }
    })

    describe('are inherited', () => {
      test('from every folder above', async () => {
        const outer = await createWith([grant('carol', 'ReadWrite')])
        const inner = await createWith([], await createWith([], outer))
        assert.equal(await tryAll('carol', inner.uid), 'read add write')
      })
      test('from the nearest first', async () => {
        const outer = await createWith([grant('bob', 'Write')])
        const middle = await createWith([deny('bob', 'Write')], outer)
        const inner = await createWith([grant('bob', 'AddChildren')], middle)
        assert.deepEqual([await tryAll('bob', outer.uid), await tryAll('bob', middle.uid)], ['read add write', 'read'])
        assert.equal(await tryAll('bob', inner.uid), 'read add')
      })
      test('not past a folder where everyone is denied everything, except what that grants itself', async () => {
        const outer = await createWith([grant('bob', 'Everything'), grant('carol', 'Everything')])
        const middle = await createWith([grant('carol', 'Read'), deny(everyone, 'Everything')], outer)
        const inner = await createWith([], middle)
        assert.equal(await tryAll('bob', inner.uid), '')
        assert.equal(await tryAll('carol', inner.uid), 'read')
        assert.equal(await tryAll('bob', outer.uid), 'read add write')
      })
      test('as soon as they change, by all below, new and old', async () => {
        const outer = await createWith([])
        const inner = await createWith([], await createWith([], outer))
        for (const [aces, can] of [
          [[grant('carol', 'ReadWrite')], 'read add write'],
          [[grant('carol', 'Read')], 'read'],
          [[], ''],
        ] as const) {
          await setLocal(outer.uid, aces)
          assert.equal(await tryAll('carol', inner.uid), can)
          assert.equal(await tryAll('carol', (await createWith([], inner)).uid), can)
        }
      })
    })

    describe('of several lists on one document', () => {
      const local = { name: 'local', aces: [grant('bob', 'Write')] }
      const workflow = { name: 'workflow', aces: [deny('bob', 'Write')] }
      for (const acls of [
        [local, workflow],
        [workflow, local],
      ]) {
        test(`are decided by the others before the local one: ${acls.map((acl) => acl.name).join(', ')}`, async () => {
          const { uid } = await bench.create('Folder')
          await bench.setAcls(uid, acls)
          assert.equal(await tryAll('bob', uid), 'read')
        })
      }
    })

    describe('of groups', () => {
      for (const group of ['editors', 'staff', 'company']) {
        test(`reach members of groups within them: ${group}`, async () => {
          const { uid } = await createWith([grant(group, 'ReadWrite'), deny(everyone, 'Everything')])
          assert.equal(await tryAll('dave', uid), 'read add write')
          assert.equal(await tryAll('bob', uid), '')
        })
      }
      test('are those that the user is in now', async () => {
        const { store } = server.services.directories
        const { uid } = await createWith([grant('editors', 'Read'), deny(everyone, 'Everything')])
        for (const members of [['dave', 'carol'], ['dave']]) {
          await store.transact(({ directories }) => directories.replaceTargets(groupMembers, 'editors', members))
          assert.equal(await tryAll('carol', uid), members.includes('carol') ? 'read' : '')
        }
      })
      test('give nothing to who is in none', async () => {
        assertRefused(await server.as('carol').get('/path/'), 403, privilegeMissing('Read', 'carol'))
        assertRefused(await server.as('carol').get('/path/default-domain'), 403, privilegeMissing('Read', 'carol'))
      })
      test('of administrators, also through other groups, may do everything, locked or not', async () => {
        const { uid } = await createWith([deny('erin', 'Everything'), deny(everyone, 'Everything')])
        await bench.change(uid, { lock: { owner: 'bob', created: past } })
        assert.equal(await tryAll('erin', uid), 'read add write')
        assert.equal(await tryAll('Administrator', uid), 'read add write')
        assert.equal((await server.as('erin').delete(`/id/${uid}`)).status, 204)
      })
    })

    describe('of a limited time', () => {
      const listsChild = async (parent: Answered, uid: string) => {
        const { body } = await server.as('bob').get(`/id/${parent.uid}/@children`)
        return body.entries.some((entry: { uid: string }) => entry.uid === uid)
      }
      const secondsAhead = (seconds: number) => new Date(Math.ceil(Date.now() / 1000 + seconds) * 1000).toISOString()
      test('begin and end by the clock, for a document and for lists with it', async () => {
        const parent = await bench.create('Folder')
        const { uid } = await bench.create('Folder', {}, { parent: parent.path })
        const [begin, end] = [secondsAhead(1), secondsAhead(2)]
        await bench.restrict(uid, grant('bob', 'Read', { begin, end }))
        const look = async () => [(await server.as('bob').get(`/id/${uid}`)).status, await listsChild(parent, uid)]
        assert.deepEqual(await look(), [403, false])
        await wait(Date.parse(begin) - Date.now() + 20)
        assert.deepEqual(await look(), [200, true])
        await wait(Date.parse(end) - Date.now() + 20)
        assert.deepEqual(await look(), [403, false])
      })
    })

    describe('contain', () => {
      for (const permission of [...atomic, ...Object.keys(contained)]) {
        test(`in ${permission} just what they should`, async () => {
          const { uid } = await createWith([grant('carol', permission), grant('carol', 'Read'), deny(everyone, 'Everything')])
          const { body } = await server.as('carol').get(`/id/${uid}`, { 'enrichers-document': 'permissions' })
          const expected = withContained([permission, 'Read'])
          assert.deepEqual(body.contextParameters.permissions.toSorted(), [...expected].sort())
        })
      }
      test('in Everything all but RestrictedRead', async () => {
        const { uid } = await createWith([grant('carol', 'Everything')])
        const { body } = await server.as('carol').get(`/id/${uid}`, { 'enrichers-document': 'permissions' })
        const granted = new Set<string>(body.contextParameters.permissions)
        const expected = [...atomic, ...Object.keys(contained), 'Everything'].filter((one) => one !== 'RestrictedRead')
        for (const permission of expected) assert.ok(granted.has(permission), permission)
        assert.ok(!granted.has('RestrictedRead'))
      })
    })
  },
  { settings: { securityAllowNegativeAcl: true } },
)
