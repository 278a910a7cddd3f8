import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { aUser } from '../support/accounts.ts'
import { operationsOn } from '../support/operations.ts'
import { assertRefused } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { readAclIds } from '../support/shown-acls.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'

const bobs = grant('bob', 'Read')
const bobsId = 'bob:Read:true:::'

/** Every way in which callers write an entry: what they send to give somebody a permission on a document that bob may read. */
const doors: { readonly [operation: string]: (user: string, permission: string) => object } = {
  'Document.AddPermission': (user, permission) => ({ users: [user], permission }),
  'Document.AddACL': (user, permission) => ({ user, permission }),
  'Document.ReplacePermission': (username, permission) => ({ username, permission, id: bobsId }),
  'Document.SetACE': (user, permission) => ({ user, permission }),
  'Document.AddACE': (user, permission) => ({ user, permission, overwrite: false }),
  'Document.Update': (user, permission) => ({ properties: { 'ecm:acl': `${bobsId.slice(0, -3)},${user}:${permission}:true` } }),
}

onEachServer('an entry', (server) => {
  const bench = workbenchOn(server)
  const call = operationsOn(server)
  before(async () => {
    for (const user of ['ann', 'bob']) await server.addUser(user, ['members'])
  })
  const forBob = async () => {
    const { uid } = await bench.create('Folder')
    await bench.setAcls(uid, [{ name: 'local', aces: [bobs] }])
    return uid
  }
  const localOf = async (uid: string) => (await readAclIds(server, uid))['local'] ?? []
  const namesOf = async (uid: string) => (await localOf(uid)).map((id) => id.split(':').slice(0, 2).join(':'))

  for (const [operation, paramsFor] of Object.entries(doors)) {
    describe(`by ${operation}`, () => {
      const give = (input: string, user: string, permission: string) =>
        call(operation, { input, params: paramsFor(user, permission) })

      test('for a name that nobody has is refused, and whoever gets the name next has no right by it', async () => {
        const uid = await forBob()
        await bench.restrict(uid, bobs)
        const before = await localOf(uid)
        const name = `nobody-${operation.slice('Document.'.length)}`
        const answer = await give(uid, name, 'Read')
        assertRefused(answer, 400, new RegExp(`User or Group names do not exist: \\[${name}\\]`))
        assert.deepEqual(await localOf(uid), before)
        requireStatus(201, await server.as('Administrator').post('/user', aUser(name, { password: name })))
        requireStatus(403, await server.as(name).get(`/id/${uid}`))
      })
      test('with a permission that does not exist is refused, and nobody loses one by it', async () => {
        const uid = await forBob()
        assertRefused(await give(uid, 'ann', 'Reed'), 400, /Permission Reed is invalid\.$/)
        assert.deepEqual(await localOf(uid), [bobsId])
      })
      test('is for the user or group, however it is named', async () => {
        for (const [written, meant] of [
          ['user:ann', 'ann'],
          ['group:members', 'members'],
          ['Everyone', 'Everyone'],
          ['transient/eve@x.org', 'transient/eve@x.org'],
        ] as const) {
          const uid = await forBob()
          requireStatus(200, await give(uid, written, 'Write'))
          assert.ok((await namesOf(uid)).includes(`${meant}:Write`), `${written}: ${await localOf(uid)}`)
        }
      })
    })
  }

  test('is refused at the making of a document, too, which is not made then', async () => {
    const params = { type: 'File', name: 'for nobody', properties: { 'ecm:acl': 'nobody:Read:true' } }
    assertRefused(await call('Document.Create', { input: '/default-domain/workspaces', params }), 400, /do not exist: \[nobody\]/)
    requireStatus(404, await server.as('Administrator').get('/path/default-domain/workspaces/for nobody'))
  })
  test('tells nobody which names there are who may not change rights', async () => {
    const uid = await forBob()
    for (const [operation, paramsFor] of Object.entries(doors)) {
      const answer = await operationsOn(server, 'bob')(operation, { input: uid, params: paramsFor('nobody', 'Read') })
      assert.equal(answer.status, 403, `${operation}: ${answer.text}`)
    }
  })

  describe('of somebody who is gone', () => {
    const withGone = async () => {
      const { uid } = await bench.create('Folder')
      await bench.setAcls(uid, [{ name: 'local', aces: [bobs, grant('gone', 'Read'), grant('user:gone', 'Read')] }])
      return uid
    }
    test('is removed by its id and by the name, with what it is before it or not', async () => {
      const uid = await withGone()
      requireStatus(200, await call('Document.RemovePermission', { input: uid, params: { id: 'gone:Read:true:::' } }))
      assert.deepEqual(await localOf(uid), [bobsId, 'user:gone:Read:true:::'])
      for (const user of ['user:gone', 'user:bob']) {
        requireStatus(200, await call('Document.RemovePermission', { input: uid, params: { user } }))
      }
      assert.deepEqual(await localOf(uid), [])
    })
    test('stays while others change, and makes room for somebody else', async () => {
      const uid = await withGone()
      requireStatus(200, await call('Document.AddPermission', { input: uid, params: { users: ['ann'], permission: 'Read' } }))
      assert.equal((await localOf(uid)).length, 4)
      const params = { id: 'gone:Read:true:::', username: 'ann', permission: 'Write' }
      requireStatus(200, await call('Document.ReplacePermission', { input: uid, params }))
      assert.deepEqual((await namesOf(uid)).slice(0, 2), ['bob:Read', 'ann:Write'])
    })
    test('may deny, for a permission that exists', async () => {
      const uid = await forBob()
      const denial = { user: 'gone', permission: 'Write', grant: false, overwrite: false }
      requireStatus(200, await call('Document.SetACE', { input: uid, params: denial }))
      assert.deepEqual(await localOf(uid), [bobsId, 'gone:Write:false:::'])
      const wrong = { input: uid, params: { ...denial, permission: 'Wriet' } }
      assertRefused(await call('Document.SetACE', wrong), 400, /Permission Wriet is invalid/)
    })
  })
})

onEachServer(
  'an entry, where rights may be given to names that nobody has',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)
    for (const [operation, paramsFor] of Object.entries(doors)) {
      test(`is written by ${operation}, for a permission that exists`, async () => {
        const { uid } = await bench.create('Folder')
        await bench.setAcls(uid, [{ name: 'local', aces: [bobs] }])
        assertRefused(
          await call(operation, { input: uid, params: paramsFor('later', 'Reed') }),
          400,
          /Permission Reed is invalid/,
        )
        requireStatus(200, await call(operation, { input: uid, params: paramsFor('user:later', 'Read') }))
        const { local = [] } = await readAclIds(server, uid)
        assert.ok(
          local.some((id) => id.startsWith('later:Read:true')),
          local.join(),
        )
      })
    }
  },
  { settings: { automationAllowVirtualUser: true } },
)
