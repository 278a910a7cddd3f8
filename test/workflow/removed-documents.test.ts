import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { untilIdle } from '../support/background.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const tomorrow = new Date(Date.now() + 86_400_000).toISOString()

onEachServer('12 a review of several documents, of which one is removed,', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  const administrator = () => server.as('Administrator')
  before(async () => {
    for (const user of ['alice', 'bob']) await server.addUser(user, ['members'])
  })

  /** A review of two documents, about which alice and bob are asked. */
  async function begun(model: string, variables: object = {}) {
    const folder = await bench.create('Folder')
    const create = async () => (await bench.create('File', {}, { parent: folder.path })).uid
    const [gone, left] = [await create(), await create()]
    const { id } = await flows.start(undefined, model, 'Administrator', { attachedDocumentIds: [gone, left] })
    const choose = await flows.task(id)
    await flows.complete(choose.id, 'start_review', { participants: ['user:alice', 'user:bob'], ...variables })
    return { id, folder: folder.uid, gone, left }
  }
  const remove = async (uid: string) => requireStatus(204, await administrator().delete(`/id/${uid}`))
  const openTasks = (id: string, user = 'Administrator') => flows.tasks(`?workflowInstanceId=${id}`, user)
  const targetsOf = ({ targetDocumentIds }: Answered) => targetDocumentIds.map(({ id }: Answered) => id)
  const rightsByTasks = async (uid: string) => (await flows.acls(uid)).filter(({ name }) => name.startsWith('routing'))
  const isGone = async (id: string) => (await administrator().get(`/workflow/${id}`)).status === 404

  test('goes on one after the other, and approves what is left', async () => {
    const { id, gone, left } = await begun('SerialDocumentReview')
    const [asked] = await openTasks(id, 'alice')
    await remove(gone)
    const [task, ...others] = await openTasks(id, 'alice')
    assert.deepEqual([task?.id, targetsOf(task), others], [asked?.id, [left], []])
    assert.ok((await bench.readProperties(task?.id))['nt:task_variables'].some(({ value }: Answered) => value === left))
    await flows.complete(task?.id, 'validate', {}, 'alice')
    await flows.complete((await flows.task(id, 'bob')).id, 'validate', {}, 'bob')
    assert.deepEqual([(await flows.read(id)).state, (await bench.read(left)).state], ['done', 'approved'])
    assert.deepEqual(await rightsByTasks(left), [])
  })

  test('goes on with all who are asked at once, and approves what is left', async () => {
    const { id, gone, left } = await begun('ParallelDocumentReview', { end_date: tomorrow })
    const [first] = await openTasks(id, 'alice')
    await flows.complete(first?.id, 'approve', {}, 'alice')
    assert.equal((await rightsByTasks(left)).length, 1)
    await remove(gone)
    const [second] = await openTasks(id, 'bob')
    assert.deepEqual(targetsOf(second), [left])
    await flows.complete(second?.id, 'approve', {}, 'bob')
    await flows.complete((await flows.task(id)).id, 'validate')
    const { state, lockOwner } = await bench.read(left, { 'fetch-document': 'lock' })
    assert.deepEqual([(await flows.read(id)).state, state, lockOwner], ['done', 'approved', undefined])
    assert.deepEqual(await rightsByTasks(left), [])
  })

  test('can be cancelled, which takes back the rights on what is left', async () => {
    const { id, gone, left } = await begun('SerialDocumentReview')
    await remove(gone)
    assert.equal((await rightsByTasks(left)).length, 1)
    requireStatus(204, await administrator().delete(`/workflow/${id}`))
    assert.deepEqual(await rightsByTasks(left), [])
  })

  test('ends with the last of them', async () => {
    const { id, gone, left } = await begun('SerialDocumentReview')
    await remove(gone)
    assert.equal((await openTasks(id)).length, 1)
    await remove(left)
    assert.deepEqual(await openTasks(id), [])
    await untilIdle(server)
    assert.ok(await isGone(id))
  })

  test('ends when the folder of all of them is removed', async () => {
    const { id, folder } = await begun('ParallelDocumentReview', { end_date: tomorrow })
    assert.equal((await openTasks(id)).length, 2)
    await remove(folder)
    assert.deepEqual(await openTasks(id), [])
    await untilIdle(server)
    assert.ok(await isGone(id))
  })

  test('goes on without a version that is removed by itself, and ends with it where it is about nothing else', async () => {
    const { uid } = await bench.create('File')
    const administer = async (operation: string, params: object = {}) =>
      requireStatus(200, await administrator().post(`/automation/${operation}`, { input: uid, params })).uid
    await administer('Document.CheckIn', { version: 'minor' })
    const version = await administer('Document.GetLastVersion')
    await administer('Document.CheckOut')
    const start = async (...attachedDocumentIds: readonly string[]): Promise<string> =>
      (await flows.start(undefined, 'SerialDocumentReview', 'Administrator', { attachedDocumentIds })).id
    const [ofVersion, ofBoth] = [await start(version), await start(version, uid)]
    await remove(version)
    assert.deepEqual(await openTasks(ofVersion), [])
    assert.deepEqual((await openTasks(ofBoth)).map(targetsOf), [[uid]])
    await untilIdle(server)
    assert.ok(await isGone(ofVersion))
    assert.deepEqual((await flows.read(ofBoth)).attachedDocumentIds, [{ id: uid }])
  })

  test('leaves no workflow and no task behind that began while its document was removed', async () => {
    const alone = { 'task name': 'Look', 'additional list of actors prefixed ids': ['user:alice'] }
    const rounds = Array.from({ length: 24 }, async (_, round) => {
      const { uid } = await bench.create('File')
      const [begun] = await Promise.all([
        round % 2 === 0
          ? administrator().post('/workflow', {
              'entity-type': 'workflow',
              workflowModelName: 'SerialDocumentReview',
              attachedDocumentIds: [uid],
            })
          : administrator().post('/automation/Task.Create', { input: uid, params: alone }),
        wait(round % 12).then(() => remove(uid)),
      ])
      assert.ok([200, 201, 404].includes(begun.status), JSON.stringify(begun.body))
      return uid
    })
    const removed = new Set(await Promise.all(rounds))
    await untilIdle(server)
    const find = async (query: string) =>
      requireStatus(
        200,
        await administrator().get(`/search/execute?pageSize=500&query=${encodeURIComponent(query)}`, { properties: '*' }),
      ).entries
    const routes = await find("SELECT * FROM DocumentRoute WHERE ecm:currentLifeCycleState = 'running'")
    const tasks = await find("SELECT * FROM Document WHERE ecm:mixinType = 'Task' AND ecm:currentLifeCycleState = 'opened'")
    const about = [...routes, ...tasks].flatMap(({ properties }: Answered) => [
      ...(properties['docri:participatingDocuments'] ?? []),
      ...(properties['nt:targetDocumentsIds'] ?? []),
    ])
    assert.deepEqual(
      about.filter((id) => removed.has(id)),
      [],
    )
  })

  /** A file in a folder of its own, and a version of it. */
  async function versioned() {
    const folder = await bench.create('Folder')
    const { uid } = await bench.create('File', {}, { parent: folder.path })
    const checkedIn = { input: uid, params: { version: 'minor' } }
    requireStatus(200, await administrator().post('/automation/Document.CheckIn', checkedIn))
    const { uid: version } = requireStatus(200, await administrator().post('/automation/Document.GetLastVersion', { input: uid }))
    return { folder: folder.uid, uid, version: String(version) }
  }
  const review = async (...attachedDocumentIds: readonly string[]): Promise<string> =>
    (await flows.start(undefined, 'SerialDocumentReview', 'Administrator', { attachedDocumentIds })).id

  for (const isFolder of [false, true])
    test(`ends with the ${isFolder ? 'folder of the ' : ''}document whose versions it is about`, async () => {
      const { folder, uid, version } = await versioned()
      const left = await bench.create('File')
      const [ofVersion, ofBoth, ofOther] = [await review(version), await review(uid, version), await review(version, left.uid)]
      await remove(isFolder ? folder : uid)
      await untilIdle(server)
      assert.deepEqual([await openTasks(ofVersion), await openTasks(ofBoth)], [[], []])
      assert.deepEqual([await isGone(ofVersion), await isGone(ofBoth)], [true, true])
      assert.deepEqual((await openTasks(ofOther)).map(targetsOf), [[left.uid]])
      assert.deepEqual((await flows.read(ofOther)).attachedDocumentIds, [{ id: left.uid }])
    })

  test('goes on about a version for as long as a proxy keeps that', async () => {
    const { uid, version } = await versioned()
    const section = await bench.create('Folder')
    const published = { input: uid, params: { target: section.uid } }
    const proxy = requireStatus(200, await administrator().post('/automation/Document.PublishToSection', published))
    const id = await review(uid, version)
    await remove(uid)
    await untilIdle(server)
    assert.deepEqual((await openTasks(id)).map(targetsOf), [[version]])
    await remove(proxy.uid)
    await untilIdle(server)
    assert.deepEqual(await openTasks(id), [])
    assert.ok(await isGone(id))
  })
})
