import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { deny, grant } from '../../src/model/rights/acl.ts'
import { assertRefused } from '../support/accounts.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const parallel = 'ParallelDocumentReview'
const forGood = /only while a task about it is yours/

onEachServer('what a task gives for its time', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const as = (user: string) => server.as(user)
  const startOn = (address: string, user: string) =>
    as(user).post(`${address}/@workflow`, { 'entity-type': 'workflow', workflowModelName: parallel })
  before(async () => {
    for (const user of ['alice', 'bob', 'carl']) await server.addUser(user, ['members'])
  })

  const change = (uid: string, user: string) => as(user).put(`/id/${uid}`, { 'entity-type': 'document', properties: {} })
  /** Who has rights by tasks, which, and until when. */
  const passed = async (uid: string) =>
    (await flows.acls(uid))
      .filter(({ name }) => name.startsWith('routing/') || name.startsWith('delegation/'))
      .flatMap(({ ace }) => ace.map(({ username, permission, end }: Answered) => [username, permission, end]))

  /** A document that only alice may read, and her review of it, for which bob is asked. */
  async function reviewed(type = 'File') {
    const document = await bench.create(type)
    await bench.restrict(document.uid, grant('alice', 'Everything'))
    const { id } = await flows.start(document.uid, serial, 'alice', { variables: { validationOrReview: 'simpleReview' } })
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'alice')
    return { document, task: await flows.task(id) }
  }

  test('starts no workflow of their own for whoever is asked, by no door, and is gone with the task', async () => {
    const { document, task } = await reviewed()
    const { uid, path } = document
    requireStatus(200, await as('bob').get(`/id/${uid}`))
    const starts = [
      startOn(`/id/${uid}`, 'bob'),
      startOn(`/path${path}`, 'bob'),
      as('bob').post('/workflow', { 'entity-type': 'workflow', workflowModelName: parallel, attachedDocumentIds: [uid] }),
      as('bob').post('/automation/Context.StartWorkflow', { input: uid, params: { id: parallel } }),
      as('bob').post('/automation/Context.StartWorkflow', { input: uid, params: { id: parallel, start: false } }),
    ]
    for (const start of starts) assertRefused(await start, 403, forGood)
    await flows.complete(task.id, 'validate', {}, 'bob')
    assert.equal((await as('bob').get(`/id/${uid}`)).status, 403)
  })

  test('starts none for a delegate either', async () => {
    const { document, task } = await reviewed()
    requireStatus(200, await as('bob').put(`/task/${task.id}/delegate?delegatedActors=carl`))
    requireStatus(200, await as('carl').get(`/id/${document.uid}`))
    assertRefused(await startOn(`/id/${document.uid}`, 'carl'), 403, forGood)
  })

  test('starts none below a folder that the task is about, nor on a version, nor through a proxy', async () => {
    const { document: folder } = await reviewed('Folder')
    const file = await bench.create('File', {}, { parent: folder.path })
    const versioned = { input: file.uid, params: { increment: 'Minor' } }
    requireStatus(200, await as('Administrator').post('/automation/Document.CreateVersion', versioned))
    const shelf = await bench.create('Folder')
    await bench.setAcls(shelf.uid, [{ name: 'local', aces: [grant('bob', 'Everything')] }])
    const proxy = await bench.createProxy(shelf.uid, file.uid)
    requireStatus(200, await as('bob').get(`/id/${file.uid}`))
    assertRefused(await startOn(`/id/${file.uid}`, 'bob'), 403, forGood)
    assertRefused(await startOn(`/id/${proxy}`, 'bob'), 403, /shows a document of another place/)
    const ofFile = `SELECT * FROM File WHERE ecm:versionVersionableId = '${file.uid}'`
    const found = await as('Administrator').get(`/search/lang/NXQL/execute?query=${encodeURIComponent(ofFile)}`)
    const versionId = requireStatus(200, found).entries[0].uid
    requireStatus(200, await as('bob').get(`/id/${versionId}`))
    assertRefused(await startOn(`/id/${versionId}`, 'bob'), 403, forGood)
  })

  test('starts none on a publication for whoever may read that alone', async () => {
    const document = await bench.create('File')
    const shelf = await bench.create('Folder')
    await bench.restrict(document.uid, grant('alice', 'Everything'))
    await bench.setAcls(shelf.uid, [{ name: 'local', aces: [grant('bob', 'Read'), grant('alice', 'ReadWrite')] }])
    const params = { target: shelf.uid }
    const published = await as('Administrator').post('/automation/Document.PublishToSection', { input: document.uid, params })
    const { uid } = requireStatus(200, published)
    requireStatus(200, await as('bob').get(`/id/${uid}`))
    assertRefused(await startOn(`/id/${uid}`, 'bob'), 403, /shows a document of another place/)
    requireStatus(201, await startOn(`/id/${uid}`, 'alice'))
  })

  test('is not to be had by going on with a workflow of a time when one could read the document', async () => {
    const document = await bench.create('File')
    await bench.restrict(document.uid, grant('alice', 'Read'))
    const { id } = await flows.start(document.uid, serial, 'alice', { variables: { participants: ['user:alice'] } })
    const task = await flows.task(id)
    await bench.restrict(document.uid, grant('bob', 'Read'))
    const goOn = () => as('alice').put(`/task/${task.id}/start_review`, { 'entity-type': 'task' })
    assertRefused(await goOn(), 403, /read/)
    assert.equal((await as('alice').get(`/id/${document.uid}`)).status, 403)
    await bench.restrict(document.uid, grant('alice', 'Read'))
    requireStatus(200, await goOn())
    assert.equal((await change(document.uid, 'alice')).status, 403)
  })

  test('keeps nobody from it who may read the document anyway', async () => {
    const { document } = await reviewed()
    await bench.restrict(document.uid, grant('alice', 'Everything'), grant('bob', 'Read'))
    requireStatus(201, await startOn(`/id/${document.uid}`, 'bob'))
    requireStatus(201, await startOn(`/id/${document.uid}`, 'alice'))
    requireStatus(201, await startOn(`/id/${document.uid}`, 'Administrator'))
  })

  test('is no more than who started it has, or who lets it go on', async () => {
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('alice', 'Read'), grant('bob', 'ReadWrite'))
    const { id } = await flows.start(uid, serial, 'alice')
    const participants = ['user:alice', 'user:bob', 'user:carl']
    await flows.complete((await flows.task(id)).id, 'start_review', { participants }, 'alice')
    assert.deepEqual(await passed(uid), [['alice', 'Read', null]])
    assert.equal((await change(uid, 'alice')).status, 403)
    await flows.complete((await flows.task(id)).id, 'validate', {}, 'alice')
    assert.deepEqual(await passed(uid), [['bob', 'Read', null]])
    await flows.complete((await flows.task(id)).id, 'validate', {}, 'bob')
    assert.deepEqual(await passed(uid), [['carl', 'ReadWrite', null]])
    requireStatus(200, await change(uid, 'carl'))
  })

  test('has no part of the right that is denied to who started it', async () => {
    const folder = await bench.create('Folder')
    await bench.restrict(folder.uid, grant('members', 'ReadWrite'))
    const { uid } = await bench.create('File', {}, { parent: folder.path })
    await bench.setAcls(uid, [{ name: 'local', aces: [deny('alice', 'Write')] }])
    const { id } = await flows.start(uid, serial, 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice', 'user:bob'] }, 'alice')
    assert.deepEqual(await passed(uid), [['alice', 'Read', null]])
    assert.equal((await change(uid, 'alice')).status, 403)
    const task = await flows.task(id)
    requireStatus(200, await as('alice').put(`/task/${task.id}/delegate?delegatedActors=alice`))
    assert.equal((await change(uid, 'alice')).status, 403)
    requireStatus(200, await as('Administrator').put(`/task/${task.id}/reassign?actors=alice`))
    requireStatus(200, await change(uid, 'alice'))
  })

  test('is what whoever hands a task over has', async () => {
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('alice', 'Read'))
    const { id } = await flows.start(uid, serial, 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:alice'] }, 'alice')
    const task = await flows.task(id)
    requireStatus(200, await as('alice').put(`/task/${task.id}/delegate?delegatedActors=bob`))
    assert.deepEqual(await passed(uid), [
      ['bob', 'Read', null],
      ['alice', 'Read', null],
    ])
    requireStatus(200, await as('Administrator').put(`/task/${task.id}/reassign?actors=carl`))
    requireStatus(200, await change(uid, 'carl'))
  })

  test('ends with the right of who started it', async () => {
    const { uid } = await bench.create('File')
    const [soon, later] = [86_400_000, 2 * 86_400_000].map((ahead) => new Date(Date.now() + ahead).toISOString())
    await bench.restrict(uid, grant('alice', 'ReadWrite', { end: soon ?? null }), grant('alice', 'Read', { end: later ?? null }))
    const variables = { participants: ['user:bob'], validationOrReview: 'simpleReview' }
    const { id } = await flows.start(uid, serial, 'alice', { variables })
    await flows.complete((await flows.task(id)).id, 'start_review', {}, 'alice')
    const [[username, permission, end] = []] = await passed(uid)
    assert.deepEqual([username, permission, end], ['bob', 'ReadWrite', soon?.replace(/\.\d{3}Z$/, '.000Z')])
  })

  test('lets nobody approve what neither they nor who started the review may change', async () => {
    const { uid } = await bench.create('File')
    await bench.restrict(uid, grant('alice', 'Read'))
    const { id } = await flows.start(uid, serial, 'alice', { variables: { participants: ['user:alice'] } })
    await flows.complete((await flows.task(id)).id, 'start_review', {}, 'alice')
    const task = await flows.task(id)
    assertRefused(await flows.tryTo(task.id, 'validate', {}, 'alice'), 403, /Neither who started the review nor you/)
    assert.deepEqual([(await flows.task(id)).id, (await bench.read(uid)).state], [task.id, 'project'])
    await bench.restrict(uid, grant('alice', 'Read'), grant('bob', 'ReadWrite'))
    requireStatus(200, await as('alice').put(`/task/${task.id}/reassign?actors=bob`))
    await flows.complete(task.id, 'validate', {}, 'bob')
    assert.equal((await bench.read(uid)).state, 'approved')
  })
})
