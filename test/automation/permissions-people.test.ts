import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { defineOperation } from '../../src/automation/operation.ts'
import { required } from '../../src/automation/parameter.ts'
import { nothing } from '../../src/automation/values/value.ts'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { definePlugin } from '../../src/plugin/define-plugin.ts'
import { addGroup } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { type OperationBody, operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { readAclIds } from '../support/shown-acls.ts'
import { requireStatus, workbenchOn, workspaces } from '../support/workbench.ts'

/** Gives what a variable holds, for whoever wants to see it behind an operation that sets one. */
const readVariable = defineOperation({
  id: 'Test.ReadVariable',
  category: 'Test',
  description: 'Gives a variable.',
  effect: 'reads',
  params: { 'variable name': required('string') },
  run: ({ on }) => [on('void', 'object', (_, { params, context }) => context.variables.get(params['variable name']) ?? nothing)],
})

const thenRead = (id: string, operation: string) => ({ id, steps: [{ operation }, { operation: 'Test.ReadVariable' }] })

const plugin = definePlugin({
  name: 'test-variables',
  operations: [readVariable],
  chains: [
    thenRead('readUsers', 'Context.GetUsersGroupIdsWithPermissionOnDoc'),
    thenRead('readEmails', 'Document.GetPrincipalEmails'),
  ],
})

onEachServer(
  '2.3 people and their permissions',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    const past = '2001-02-03T04:05:06.000Z'
    before(async () => {
      for (const user of ['ann', 'bob', 'cid', 'dan', 'eve']) await server.addUser(user, ['members'])
      for (const user of ['ann', 'cid', 'dan']) {
        const properties = { username: user, email: `${user}@example.com` }
        requireStatus(200, await server.as('Administrator').put(`/user/${user}`, { 'entity-type': 'user', properties }))
      }
      await addGroup(server, 'inner', { users: ['dan'] })
      await addGroup(server, 'outer', { users: ['cid', 'eve'], groups: ['inner'] })
    })

    /** A folder whose entries are these and none else. */
    const withEntries = async (...aces: readonly ReturnType<typeof grant>[]): Promise<string> => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [{ name: 'local', aces: [...aces, deny('Everyone', 'Everything')] }])
      return uid
    }
    const listed = async (chain: string, uid: string, params: object) => {
      const body = { input: uid, params: { permission: 'Read', 'variable name': 'found', ...params } }
      const answer = requireStatus(200, await call(chain, body))
      assert.equal(answer['entity-type'], 'list')
      return answer.value
    }

    describe('Context.GetUsersGroupIdsWithPermissionOnDoc', () => {
      const users = (uid: string, params: object = {}) => listed('readUsers', uid, params)

      test('gives the users, then the groups, to whom entries grant the permission or one that includes it', async () => {
        const uid = await withEntries(grant('outer', 'Read'), grant('ann', 'Everything'), grant('bob', 'AddChildren'))
        assert.deepEqual(await users(uid), ['ann', 'outer'])
        assert.deepEqual(await users(uid, { permission: 'AddChildren' }), ['ann', 'bob'])
      })
      test('counts inherited entries, too', async () => {
        const { uid } = await bench.create('Folder')
        assert.deepEqual(await users(uid), ['Administrator', 'members'])
      })
      test('leaves out who is denied before, whose entry is over, and names that nobody has', async () => {
        const uid = await withEntries(
          deny('ann', 'Write'),
          grant('ann', 'Write'),
          grant('bob', 'Write', { end: past }),
          grant('nobody', 'Write'),
          grant('cid', 'Write'),
        )
        assert.deepEqual(await users(uid, { permission: 'Write' }), ['cid'])
      })
      test('leaves out groups where they are to be ignored', async () => {
        const uid = await withEntries(grant('outer', 'Read'), grant('Everyone', 'Read'), grant('ann', 'Read'))
        assert.deepEqual(await users(uid), ['ann', 'outer', 'Everyone'])
        assert.deepEqual(await users(uid, { 'ignore groups': true, 'resolve groups': true }), ['ann'])
      })
      test('gives the members of groups, however deep, instead of the groups', async () => {
        const uid = await withEntries(grant('outer', 'Read'), grant('Everyone', 'Read'), grant('cid', 'Read'))
        assert.deepEqual(await users(uid, { 'resolve groups': true }), ['cid', 'eve', 'dan', 'Everyone'])
      })
      test('gives no member who is denied before its group is granted', async () => {
        const uid = await withEntries(deny('dan', 'Write'), grant('outer', 'Write'))
        assert.deepEqual(await users(uid, { permission: 'Write', 'resolve groups': true }), ['cid', 'eve'])
      })
      test('says what each is where names are to be prefixed', async () => {
        const uid = await withEntries(grant('outer', 'Read'), grant('ann', 'Read'))
        assert.deepEqual(await users(uid, { 'prefix identifiers': true }), ['user:ann', 'group:outer'])
      })
      test('gives the document that it was given, under its alias, too', async () => {
        const uid = await withEntries(grant('ann', 'Read'))
        const body = { input: uid, params: { permission: 'Read', 'variable name': 'found' } }
        assert.equal(requireStatus(200, await call('Document.GetUsersAndGroups', body)).uid, uid)
      })
    })

    describe('Context.GetEmailsWithPermissionOnDoc', () => {
      const emails = (uid: string, params: object = {}) => listed('readEmails', uid, params)

      test('gives the addresses of users and of the members of groups, of those who have one, each once', async () => {
        const uid = await withEntries(grant('ann', 'Read'), grant('outer', 'Read'), grant('cid', 'Read'), grant('bob', 'Read'))
        assert.deepEqual(await emails(uid), ['ann@example.com', 'cid@example.com', 'dan@example.com'])
      })
      test('leaves out groups where they are to be ignored', async () => {
        const uid = await withEntries(grant('ann', 'Read'), grant('outer', 'Read'))
        assert.deepEqual(await emails(uid, { 'ignore groups': true }), ['ann@example.com'])
      })
      test('gives the address of somebody who was invited by it', async () => {
        const uid = await withEntries(grant('transient/guest@example.com', 'Read'))
        assert.deepEqual(await emails(uid), ['guest@example.com'])
      })
    })

    describe('both', () => {
      for (const operation of ['Context.GetUsersGroupIdsWithPermissionOnDoc', 'Context.GetEmailsWithPermissionOnDoc']) {
        for (const missing of ['permission', 'variable name']) {
          test(`${operation} needs ${missing}`, async () => {
            const params = { permission: 'Read', 'variable name': 'found', [missing]: undefined }
            const answer = await call(operation, { input: workspaces, params })
            assertRefused(answer, 400, new RegExp(`Failed to inject parameter '${missing}'`))
          })
        }
        test(`${operation} needs a document that the caller may read`, async () => {
          const uid = await withEntries(grant('bob', 'ReadProperties'))
          const body = { input: uid, params: { permission: 'Read', 'variable name': 'found' } }
          assertRefused(await operationsOn(server, 'bob')(operation, body), 403, /Privilege 'Read' is not granted/)
        })
      }
    })

    describe('PermissionsPurge', () => {
      const purge = async (body: OperationBody) => {
        const answer = await call('PermissionsPurge', body)
        assert.equal(answer.status, 204, answer.text)
        await untilIdle(server)
      }
      const localOf = async (uid: string) => (await readAclIds(server, uid))['local']
      const granted = async (type = 'Folder', parent = workspaces) => {
        const { uid, path } = await bench.create(type, {}, { parent })
        await bench.setAcls(uid, [
          { name: 'other', aces: [grant('ann', 'Write')] },
          { name: 'local', aces: [grant('ann', 'Read'), grant('bob', 'Read'), grant('cid', 'Read')] },
        ])
        return { uid, path }
      }
      const [anns, bobs, cids] = ['ann:Read:true:::', 'bob:Read:true:::', 'cid:Read:true:::']

      test('takes all entries of the users from the document, and from no other', async () => {
        const folder = await granted()
        const [inside, beside] = [await granted('File', folder.path), await granted()]
        await purge({ input: folder.uid, params: { usernames: 'ann, cid' } })
        assert.deepEqual((await readAclIds(server, folder.uid))['other'], undefined)
        assert.deepEqual(await localOf(folder.uid), [bobs])
        assert.deepEqual(
          [await localOf(inside.uid), await localOf(beside.uid)],
          [
            [anns, bobs, cids],
            [anns, bobs, cids],
          ],
        )
      })
      test('takes them from each document of a list', async () => {
        const [first, second, third] = [await granted(), await granted(), await granted()]
        await purge({ input: [first.uid, second.uid], params: { usernames: 'ann' } })
        assert.deepEqual(
          [await localOf(first.uid), await localOf(second.uid)],
          [
            [bobs, cids],
            [bobs, cids],
          ],
        )
        assert.deepEqual(await localOf(third.uid), [anns, bobs, cids])
      })
      test('takes them from every document where it is given none', async () => {
        const folder = await granted()
        const inside = await granted('File', folder.path)
        const proxy = await bench.createProxy(folder.uid, inside.uid)
        await bench.setAcls(proxy, [{ name: 'local', aces: [grant('eve', 'Read'), grant('bob', 'Read')] }])
        await purge({ params: { usernames: 'ann,eve' } })
        assert.deepEqual(await Promise.all([folder.uid, inside.uid, proxy].map(localOf)), [[bobs, cids], [bobs, cids], [bobs]])
      })
      test('takes them in the background, as an action that administrators can start on a search', async () => {
        const { uid } = await granted()
        const query = encodeURIComponent(`SELECT * FROM Document WHERE ecm:uuid = '${uid}'`)
        const start = (user: string, parameters: object) =>
          server.as(user).post(`/search/bulk/permissionsPurge?query=${query}`, parameters)
        assert.equal((await start('ann', { usernames: ['bob'] })).status, 403)
        assert.equal((await start('Administrator', { usernames: 'bob' })).status, 400)
        assert.equal((await start('Administrator', { usernames: ['bob'] })).status, 202)
        await untilIdle(server)
        assert.deepEqual(await localOf(uid), [anns, cids])
      })
      test('is content with nobody who has entries', () => purge({ params: { usernames: "o'brien" } }))
      test('needs names', async () => {
        assertRefused(await call('PermissionsPurge'), 400, /Failed to inject parameter 'usernames'/)
        assertRefused(await call('PermissionsPurge', { params: { usernames: ' , ' } }), 400, /must be a list of names/)
      })
      test('is for administrators', async () => {
        const { uid } = await granted()
        const answer = await operationsOn(server, 'ann')('PermissionsPurge', { input: uid, params: { usernames: 'bob' } })
        assert.equal(answer.status, 404, answer.text)
        await untilIdle(server)
        assert.deepEqual(await localOf(uid), [anns, bobs, cids])
      })
    })
  },
  { plugins: [plugin] },
)
