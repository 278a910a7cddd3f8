import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { blockInheritance, unblockInheritance } from '../../src/core/documents/rights/block-inheritance.ts'
import { removePermission } from '../../src/core/documents/rights/remove-permission.ts'
import { setAcls } from '../../src/core/documents/rights/set-acls.ts'
import { type Ace, type Acl, deny, grant } from '../../src/model/rights/acl.ts'
import { assertRefusal } from '../support/refusal.ts'
import { privilegeMissing } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { inheritedFromRoot, readAclIds } from '../support/shown-acls.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const local = (...aces: readonly Ace[]): Acl => ({ name: 'local', aces })
const routing = (...aces: readonly Ace[]): Acl => ({ name: 'routing', aces })
const block = deny('Everyone', 'Everything')
const blockId = 'Everyone:Everything:false:::'
const [early, late] = ['2030-01-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z']

onEachServer('11.3 ACP, ACL, ACE', (server) => {
  const bench = workbenchOn(server)
  before(() => server.addUser('bob', ['members']))

  const set = (uid: string, acls: readonly Acl[], overwrite = true, user = 'Administrator') =>
    server.inSession(user, (session) => setAcls(session, uid, acls, { overwrite }))
  const createWith = async (...acls: readonly Acl[]) => {
    const { uid } = await bench.create('Folder')
    await set(uid, acls)
    return uid
  }
  const idsOf = (uid: string) => readAclIds(server, uid)
  const firstEntry = async (uid: string): Promise<Answered> =>
    requireStatus(200, await server.as('Administrator').get(`/id/${uid}/@acl`)).acl[0].ace[0]

  describe('an entry', () => {
    test('is named by its six parts, empty for what it lacks', async () => {
      const uid = await createWith(local(grant('bob', 'Write', { creator: 'Administrator', begin: early })))
      assert.equal((await firstEntry(uid)).id, `bob:Write:true:Administrator:${Date.parse(early)}:`)
    })
    test('begins and ends with a second', async () => {
      const uid = await createWith(
        local(grant('bob', 'Read', { begin: '2030-01-01T00:00:00.987Z', end: '2031-01-01T00:00:00.001Z' })),
      )
      const { id, begin, end } = await firstEntry(uid)
      assert.deepEqual([id, begin, end], [`bob:Read:true::${Date.parse(early)}:${Date.parse(late)}`, early, late])
    })
    test('cannot begin after its end', async () => {
      const { uid } = await bench.create('Folder')
      await assertRefusal(
        set(uid, [local(grant('bob', 'Read', { begin: late, end: early }))]),
        400,
        `The entry for bob begins at ${late}, after its end at ${early}.`,
      )
      assert.deepEqual(await idsOf(uid), { inherited: inheritedFromRoot })
    })
    for (const [status, dates] of [
      ['pending', { begin: '2999-01-01T00:00:00.000Z' }],
      ['effective', {}],
      ['effective', { begin: '2001-01-01T00:00:00.000Z', end: '2999-01-01T00:00:00.000Z' }],
      ['archived', { end: '2001-01-01T00:00:00.000Z' }],
    ] as const) {
      test(`is ${status} with ${JSON.stringify(dates)}`, async () => {
        assert.equal((await firstEntry(await createWith(local(grant('bob', 'Read', dates))))).status, status)
      })
    }
    test('is in its list once, and is another when any of its parts is', async () => {
      const variants = [
        grant('bob', 'Read'),
        grant('members', 'Read'),
        grant('bob', 'Write'),
        deny('bob', 'Write'),
        grant('bob', 'Read', { creator: 'ann' }),
        grant('bob', 'Read', { begin: early }),
        grant('bob', 'Read', { end: late }),
      ]
      const uid = await createWith(local(...variants, ...variants))
      assert.equal((await idsOf(uid))['local']?.length, variants.length)
    })
  })

  describe('an ACP', () => {
    test('has the other ACLs in order of addition, then local, then inherited', async () => {
      const uid = await createWith(local(grant('bob', 'Read')))
      await set(uid, [{ name: 'workflow', aces: [grant('bob', 'Write')] }], false)
      await set(uid, [{ name: 'collaborators', aces: [grant('bob', 'Write')] }], false)
      assert.deepEqual(Object.keys(await idsOf(uid)), ['workflow', 'collaborators', 'local', 'inherited'])
    })
    test('is replaced as a whole with overwrite', async () => {
      const uid = await createWith(local(grant('bob', 'Read')), routing(grant('bob', 'Write')))
      await set(uid, [local(grant('members', 'Write'))])
      assert.deepEqual(await idsOf(uid), { local: ['members:Write:true:::'], inherited: inheritedFromRoot })
    })
    test('gets the entries appended to the ACL of the name without overwrite, before a block that ends it', async () => {
      const uid = await createWith(local(grant('bob', 'Read'), block), routing(grant('bob', 'Read')))
      await set(uid, [local(grant('bob', 'Read'), grant('members', 'Read')), routing(grant('members', 'Write'))], false)
      assert.deepEqual(await idsOf(uid), {
        routing: ['bob:Read:true:::', 'members:Write:true:::'],
        local: ['bob:Read:true:::', 'members:Read:true:::', blockId],
      })
    })
    for (const overwrite of [true, false]) {
      test(`takes nothing that is sent as inherited, ${overwrite ? 'with' : 'without'} overwrite`, async () => {
        const { uid } = await bench.create('Folder')
        await set(uid, [{ name: 'inherited', aces: [grant('bob', 'Everything')] }, local(grant('bob', 'Write'))], overwrite)
        assert.deepEqual(await idsOf(uid), { local: ['bob:Write:true:::'], inherited: inheritedFromRoot })
      })
    }
    test('is set only with WriteSecurity, which neither Write nor ReadWrite contains', async () => {
      const uid = await createWith(local(grant('bob', 'ReadWrite')))
      await assertRefusal(set(uid, [], true, 'bob'), 403, privilegeMissing('WriteSecurity', 'bob'))
      await set(uid, [local(grant('bob', 'WriteSecurity'))])
      await set(uid, [local(grant('bob', 'WriteSecurity'), grant('bob', 'Write'))], true, 'bob')
      assert.deepEqual((await idsOf(uid))['local'], ['bob:WriteSecurity:true:::', 'bob:Write:true:::'])
    })
    test('is not set on a version, whose rights are those of its live document', async () => {
      const file = await bench.create('File')
      const version = await bench.update(file.uid, { 'dc:title': 'x' }, { 'X-Versioning-Option': 'MINOR' })
      await assertRefusal(
        set(version.uid, [local(grant('bob', 'Read'))]),
        400,
        `${version.uid} is a version and has the rights of its live document. Change them on ${file.uid}.`,
      )
    })
    test('is not set on what does not exist', async () => {
      await assertRefusal(set('nowhere', [local(grant('bob', 'Read'))]), 404, 'nowhere')
    })
  })

  describe('entries are removed', () => {
    const acls = [local(grant('bob', 'Read'), grant('members', 'Read'), grant('bob', 'Write')), routing(grant('bob', 'Read'))]
    const remove = (uid: string, removed: Parameters<typeof removePermission>[2]) =>
      server.inSession('Administrator', (session) => removePermission(session, uid, removed))
    test('by id', async () => {
      const uid = await createWith(...acls)
      await remove(uid, { id: 'bob:Write:true:::' })
      assert.deepEqual((await idsOf(uid))['local'], ['bob:Read:true:::', 'members:Read:true:::'])
    })
    test('by user name in one ACL', async () => {
      const uid = await createWith(...acls)
      await remove(uid, { user: 'bob' })
      const { local: left, routing: others } = await idsOf(uid)
      assert.deepEqual([left, others], [['members:Read:true:::'], ['bob:Read:true:::']])
    })
    test('by user name in all', async () => {
      const uid = await createWith(...acls)
      await remove(uid, { user: 'bob', inEveryAcl: true })
      assert.deepEqual(await idsOf(uid), { local: ['members:Read:true:::'], inherited: inheritedFromRoot })
    })
  })

  describe('inheritance', () => {
    const blockAs = (user: string, uid: string, acl?: string) =>
      server.inSession(user, (session) => blockInheritance(session, uid, acl))
    const unblock = (uid: string, acl?: string) =>
      server.inSession('Administrator', (session) => unblockInheritance(session, uid, acl))
    const stayingIn = ['bob:Everything:true:bob::', 'administrators:Everything:true:::']

    test('is blocked by entries for the caller and the administrators groups, then the block', async () => {
      const uid = await createWith(local(grant('bob', 'Everything')))
      await blockAs('bob', uid)
      assert.deepEqual(await idsOf(uid), { local: ['bob:Everything:true:::', ...stayingIn, blockId] })
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 200)
    })
    test('is not blocked twice', async () => {
      const uid = await createWith(local(grant('bob', 'Everything')))
      await blockAs('bob', uid)
      const before = await idsOf(uid)
      await blockAs('Administrator', uid)
      assert.deepEqual(await idsOf(uid), before)
    })
    test('is blocked in the named ACL', async () => {
      const uid = await createWith(local(grant('bob', 'Everything')))
      await blockAs('bob', uid, 'routing')
      assert.deepEqual(await idsOf(uid), { routing: [...stayingIn, blockId], local: ['bob:Everything:true:::'] })
    })
    test('comes back when the block alone is removed', async () => {
      const uid = await createWith(local(grant('bob', 'Everything')))
      await blockAs('bob', uid)
      await unblock(uid)
      assert.deepEqual(await idsOf(uid), { local: ['bob:Everything:true:::', ...stayingIn], inherited: inheritedFromRoot })
      await blockAs('bob', uid)
      assert.deepEqual(await idsOf(uid), { local: ['bob:Everything:true:::', ...stayingIn, blockId] })
    })
    test('is unblocked in the named ACL only', async () => {
      const uid = await createWith(local(block), routing(block))
      await unblock(uid, 'routing')
      assert.deepEqual(await idsOf(uid), { local: [blockId] })
    })
    test('itself is not a list to change', async () => {
      const { uid } = await bench.create('Folder')
      await assertRefusal(blockAs('Administrator', uid, 'inherited'), 400, /cannot be changed/)
    })
  })

  describe('a denial', () => {
    for (const ace of [
      deny('bob', 'Read'),
      deny('Everyone', 'Browse'),
      deny('bob', 'Everything'),
      deny('members', 'ReadWrite'),
    ]) {
      test(`of ${ace.permission} to ${ace.username} is refused, for whoever asks`, async () => {
        const { uid } = await bench.create('Folder')
        const message = /^Negative ACL not allowed: \w+:\w+:false:::\. Only Write can be denied, or Everything to Everyone\.$/
        await assertRefusal(set(uid, [local(ace)]), 400, message)
        await assertRefusal(
          server.asSystem((session) => setAcls(session, uid, [local(ace)])),
          400,
          message,
        )
        assert.deepEqual(await idsOf(uid), { inherited: inheritedFromRoot })
      })
    }
    for (const ace of [block, deny('bob', 'Write'), deny('Everyone', 'Write')]) {
      test(`of ${ace.permission} to ${ace.username} is allowed`, async () => {
        assert.deepEqual((await idsOf(await createWith(local(ace))))['local']?.length, 1)
      })
    }
  })
})

onEachServer(
  '11.3 with other rules',
  (server) => {
    const bench = workbenchOn(server)
    before(() => server.addUser('bob', ['members']))
    test('the local ACL comes before the others, and decides before them', async () => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [routing(deny('bob', 'Read')), local(grant('bob', 'Read'))])
      assert.deepEqual(Object.keys(await readAclIds(server, uid)), ['local', 'routing', 'inherited'])
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 200)
    })
    test('anything may be denied to anybody', async () => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [local(deny('bob', 'Read'), deny('Everyone', 'Browse'))])
      assert.deepEqual((await readAclIds(server, uid))['local'], ['bob:Read:false:::', 'Everyone:Browse:false:::'])
      assert.equal((await server.as('bob').get(`/id/${uid}`)).status, 403)
    })
  },
  { settings: { securityAllowNegativeAcl: true, securityLegacyAclOrder: true } },
)
