import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type ChainStep, defineChain } from '../../src/automation/chain.ts'
import { grant } from '../../src/model/rights/acl.ts'
import { flowPlugin } from '../support/flow-plugin.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'

const of = (operation: string, params: ChainStep['params'] = {}): ChainStep => ({ operation, params })
const read = of('Repository.GetDocument', { value: 'expr:Context["hidden"]' })

const chains = [
  defineChain({ id: 'asJane', steps: [of('Auth.LoginAs', { name: 'jane' }), of('Flow.Show')] }),
  defineChain({ id: 'asServer', steps: [of('Auth.LoginAs'), of('Flow.Show')] }),
  defineChain({
    id: 'andBack',
    steps: [of('Auth.LoginAs', { name: 'jane' }), of('Auth.LoginAs'), of('Auth.Logout'), of('Flow.Show')],
  }),
  defineChain({ id: 'allTheWay', steps: [of('Auth.LoginAs'), of('Auth.Logout'), of('Auth.Logout'), of('Flow.Show')] }),
  defineChain({ id: 'readAsServer', steps: [of('Auth.LoginAs'), read, of('Auth.Logout')] }),
  defineChain({ id: 'stayAsServer', steps: [of('Auth.LoginAs'), read] }),
  defineChain({ id: 'readAfterwards', steps: [of('Auth.LoginAs'), of('Auth.Logout'), read] }),
  defineChain({
    id: 'writeAsJane',
    steps: [of('Auth.LoginAs', { name: 'jane' }), read, of('Document.SetProperty', { xpath: 'dc:source', value: 'x' })],
  }),
  defineChain({
    id: 'writeAsServer',
    steps: [of('Auth.LoginAs'), read, of('Document.SetProperty', { xpath: 'dc:description', value: 'by the server' })],
  }),
]

onEachServer(
  'acting for somebody else',
  (server) => {
    const bench = workbenchOn(server)
    const asBob = operationsOn(server, 'bob')
    let hidden: Answered

    before(async () => {
      for (const name of ['bob', 'jane']) await server.addUser(name, ['members'])
      hidden = await bench.create('Note', { 'dc:title': 'hidden' })
      await bench.restrict(hidden.uid, grant('jane', 'Read'))
    })

    test('2.10 Auth.LoginAs: the steps that follow act for the user, or for the server', async () => {
      assert.equal(requireStatus(200, await asBob('asJane')).value.user, 'jane')
      assert.equal(requireStatus(200, await asBob('asServer')).value.user, 'system')
    })

    test('2.10 Auth.Logout: they act again for whom they acted before, and at last for the caller', async () => {
      assert.equal(requireStatus(200, await asBob('andBack')).value.user, 'jane')
      assert.equal(requireStatus(200, await asBob('allTheWay')).value.user, 'bob')
    })

    test('2.10 what the caller may not read can be read for the server, and only until it logs out', async () => {
      const context = { hidden: hidden.uid }
      assert.equal(requireStatus(200, await asBob('readAsServer', { context })).uid, hidden.uid)
      assert.equal((await asBob('readAfterwards', { context })).status, 403)
    })

    test('2.10 rights are those of whom the steps act for', async () => {
      assert.equal((await asBob('writeAsJane', { context: { hidden: hidden.uid } })).status, 403)
    })

    test('2.10 what is done for the server is stamped with the name of the caller', async () => {
      requireStatus(200, await asBob('writeAsServer', { context: { hidden: hidden.uid } }))
      const properties = await bench.readProperties(hidden.uid)
      assert.deepEqual([properties['dc:description'], properties['dc:lastContributor']], ['by the server', 'bob'])
    })

    test('2.10 a document that is given goes on', async () => {
      const call = operationsOn(server)
      const input = `doc:${hidden.uid}`
      assert.equal(requireStatus(200, await call('Auth.LoginAs', { input, params: { name: 'jane' } })).uid, hidden.uid)
      assert.equal(requireStatus(200, await call('Auth.Logout', { input })).uid, hidden.uid)
    })

    test('the answer shows what the caller may see, whomever the steps acted for', async () => {
      const headers = { 'enrichers-document': 'permissions' }
      const shown = requireStatus(200, await asBob('stayAsServer', { context: { hidden: hidden.uid } }, headers))
      assert.deepEqual(shown.contextParameters.permissions, [])
    })

    test('1.14 nobody but administrators logs in from outside, with a name or without; a user must exist', async () => {
      assert.equal((await asBob('Auth.LoginAs', { params: { name: 'jane' } })).status, 404)
      assert.equal((await asBob('Auth.LoginAs')).status, 404)
      const unknown = await operationsOn(server)('Auth.LoginAs', { params: { name: 'nobody' } })
      assert.equal(unknown.status, 404)
      assert.match(unknown.body.message, /There is no user nobody/)
    })
  },
  { plugins: [flowPlugin(...chains)] },
)
