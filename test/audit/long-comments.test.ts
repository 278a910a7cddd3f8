import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const allowed = 'x'.repeat(10_000)
const tooLong = `${allowed}x`
const refusal = /The comment has 100\d\d characters, and at most 10000 are allowed/

onEachServer('Comments that go into the log', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const administrator = () => server.as('Administrator')
  const call = (operation: string, uid: string, params: object) =>
    administrator().post(`/automation/${operation}`, { input: `doc:${uid}`, params })
  const history = async (uid: string) => requireStatus(200, await administrator().get(`/id/${uid}/@audit`)).entries

  before(() => server.addUser('alice', ['members']))

  const operations: [operation: string, params: (comment: string) => object][] = [
    ['Document.CheckIn', (comment) => ({ version: 'minor', comment })],
    ['Document.Hold', (description) => ({ description })],
    ['Document.AddPermission', (comment) => ({ permission: 'Read', username: 'alice', comment })],
    ['Task.Create', (comment) => ({ 'task name': 'look', 'additional list of actors prefixed ids': 'user:alice', comment })],
  ]
  for (const [operation, params] of operations) {
    test(`of ${operation} are as long as a row may be, and nothing is done with one that is longer`, async () => {
      const { uid } = await bench.create('File')
      assertRefused(await call(operation, uid, params(tooLong)), 400, refusal)
      assert.equal((await history(uid)).length, 1)
      // A version number comes before what was said of the version.
      const done = await call(operation, uid, params(allowed.slice(20)))
      assert.ok(done.status < 300, done.text)
    })
  }

  test('of an entry that is put in the place of another are as short', async () => {
    const { uid } = await bench.create('File')
    requireStatus(200, await call('Document.AddPermission', uid, { permission: 'Read', username: 'alice' }))
    const id = 'alice:Read:true:Administrator::'
    const replace = (comment: string) =>
      call('Document.ReplacePermission', uid, { id, permission: 'Read', username: 'alice', comment })
    assertRefused(await replace(tooLong), 400, refusal)
    requireStatus(200, await replace(allowed))
  })

  test('of a save are as short', async () => {
    const { uid } = await bench.create('File')
    const body = { 'entity-type': 'document', properties: { 'dc:title': 'other' } }
    assertRefused(await administrator().put(`/id/${uid}`, body, { 'Update-Comment': tooLong }), 400, refusal)
  })

  test('of a task that is completed or handed over are as short, also where a variable has them', async () => {
    const { uid } = await bench.create('File')
    const { id } = await flows.start(uid, 'SerialDocumentReview')
    const task = await flows.task(id)
    const variables = { participants: ['user:alice'], validationOrReview: 'simpleReview' }
    const complete = (more: object, own = {}) =>
      flows.tryTo(task.id, 'start_review', { ...variables, ...own }, 'Administrator', more)
    assertRefused(await complete({ comment: tooLong }), 400, refusal)
    assertRefused(await complete({}, { comment: tooLong }), 400, refusal)
    const hand = `/task/${task.id}/delegate?delegatedActors=alice&comment=${tooLong}`
    assertRefused(await administrator().put(hand, undefined), 400, refusal)
    requireStatus(200, await complete({ comment: allowed }))
  })
})
