import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
const many = (count: number, before = 'user:u') => Array.from({ length: count }, (_, index) => `${before}${index}`)

onEachServer('whom tasks are for', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  before(async () => {
    for (const user of ['alice', 'bob', 'eve']) await server.addUser(user, ['members'])
  })

  async function chosen(model: string, participants: readonly string[], documents = 1) {
    const files: string[] = []
    for (let index = 0; index < documents; index += 1) files.push((await bench.create('File')).uid)
    for (const uid of files) await bench.restrict(uid, grant('alice', 'ReadWrite'))
    const { id } = await flows.start(undefined, model, 'alice', { attachedDocumentIds: files })
    const { id: task } = await flows.task(id)
    const answer = await flows.tryTo(task, 'start_review', { participants, end_date: tomorrow }, 'alice')
    return { id, task, uid: files[0] ?? '', answer }
  }
  const hand = (task: string, query: string, user: string) => server.as(user).put(`/task/${task}/${query}`)
  const named = (parameter: string, names: readonly string[]) => names.map((name) => `${parameter}=${name}`).join('&')

  for (const name of ['Everyone', 'user:Everyone', 'group:Everyone', 'user:user:Everyone', ' Everyone '])
    test(`never ${JSON.stringify(name)}, whoever asks for it and how`, async () => {
      const cannot = /A task cannot be for Everyone/
      for (const model of ['SerialDocumentReview', 'ParallelDocumentReview']) {
        const { uid, id, answer } = await chosen(model, [name])
        assertRefused(answer, 400, cannot)
        assert.equal((await server.as('eve').get(`/id/${uid}`)).status, 403)
        assert.match((await flows.task(id)).nodeName, /^(Task38e|Task2556)$/)
      }
      const { uid, id, answer } = await chosen('SerialDocumentReview', ['user:bob'])
      requireStatus(200, answer)
      const task = await flows.task(id)
      for (const way of ['reassign?actors=', 'delegate?delegatedActors='])
        assertRefused(await hand(task.id, `${way}${encodeURIComponent(name)}`, 'bob'), 400, cannot)
      assert.equal((await server.as('eve').get(`/id/${uid}`)).status, 403)
      const params = { 'task name': 'all', 'additional list of actors prefixed ids': [name] }
      assert.equal((await server.as('alice').post('/automation/Task.Create', { input: uid, params })).status, 400)
    })

  test('not more than 500 at a node, and not more entries on its documents than can be written in a moment', async () => {
    const { answer, task } = await chosen('ParallelDocumentReview', many(501))
    assertRefused(answer, 400, /is for 500 at most, not for 501\. Name a group/)
    assert.equal((await flows.tryTo(task, 'start_review', { participants: many(500), end_date: tomorrow }, 'alice')).status, 200)
    const several = await chosen('ParallelDocumentReview', many(500), 21)
    assertRefused(several.answer, 400, /To ask 500 about 21 documents takes 10500 entries/)
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('alice', 'ReadWrite'))
    const params = { 'task name': 'many', 'additional list of actors prefixed ids': many(501) }
    assert.equal((await server.as('alice').post('/automation/Task.Create', { input: uid, params })).status, 400)
  })

  test('not more than 500 together with those to whom it is delegated, however many calls name them', async () => {
    const { id, answer } = await chosen('SerialDocumentReview', ['user:bob'])
    requireStatus(200, answer)
    const { id: task } = await flows.task(id)
    for (const before of ['a', 'b'])
      requireStatus(200, await hand(task, `delegate?${named('delegatedActors', many(200, before))}`, 'bob'))
    assertRefused(await hand(task, `delegate?${named('delegatedActors', many(200, 'c'))}`, 'bob'), 400, /at most, not for 601/)
    assertRefused(await hand(task, `reassign?${named('actors', many(101, 'd'))}`, 'bob'), 400, /at most, not for 501/)
    assert.equal((await flows.task(id)).delegatedActors.length, 400)
  })

  test('not so many on one document that its entries are more than others may have', async () => {
    const { uid } = await bench.create('File')
    await bench.setAcls(uid, [
      { name: 'local', aces: [grant('alice', 'ReadWrite'), ...many(4_950, 'x').map((name) => grant(name, 'Read'))] },
    ])
    const { id } = await flows.start(uid, 'ParallelDocumentReview', 'alice')
    const { id: task } = await flows.task(id)
    const participants = many(60, 'user:transient/g').map((name) => `${name}@example.org`)
    const answer = await flows.tryTo(task, 'start_review', { participants, end_date: tomorrow }, 'alice')
    assertRefused(answer, 413, /entries of its own at most/)
    assert.equal((await flows.task(id)).nodeName, 'Task2556')
    requireStatus(204, await server.as('alice').delete(`/workflow/${id}`))
  })
})
