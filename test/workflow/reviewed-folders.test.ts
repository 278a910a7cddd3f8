import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

const serial = 'SerialDocumentReview'
const parallel = 'ParallelDocumentReview'

onEachServer('9.3 a review of a folder, for what is in it,', (server) => {
  const bench = workbenchOn(server)
  const flows = workflowsOn(server)
  before(async () => {
    for (const user of ['alice', 'bob', 'carl', 'eve']) await server.addUser(user, ['members'])
  })

  /** A folder that can have versions and that alice may change. */
  async function createFolder(): Promise<Answered> {
    const folder = await bench.create('Folder')
    await bench.restrict(folder.uid, grant('alice', 'ReadWrite'))
    requireStatus(
      200,
      await operationsOn(server)('Document.AddFacet', { input: folder.uid, params: { facet: 'Versionable', save: true } }),
    )
    return folder
  }
  const createIn = (folder: Answered, type = 'File') => bench.create(type, {}, { parent: folder.path })
  /** For nobody but that user. */
  async function createHidden(folder: Answered, user: string, permission = 'ReadWrite'): Promise<Answered> {
    const child = await createIn(folder)
    await bench.restrict(child.uid, grant(user, permission))
    return child
  }
  const statesOf = (...documents: readonly Answered[]) =>
    Promise.all(documents.map(async ({ uid }) => (await bench.read(uid)).state))
  const stampsOf = async ({ uid }: Answered) => {
    const { 'dc:modified': modified, 'dc:contributors': contributors } = await bench.readProperties(uid)
    return [modified, contributors]
  }
  /** A review that alice has started, with bob asked. */
  async function startSerial({ uid }: Answered): Promise<string> {
    const { id } = await flows.start(uid, serial, 'alice')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'alice')
    return id
  }
  async function endSerial(id: string, user = 'bob'): Promise<void> {
    await flows.complete((await flows.task(id)).id, 'validate', {}, user)
    await untilIdle(server)
    assert.equal((await flows.read(id)).state, 'done')
  }
  async function review(folder: Answered, user = 'bob'): Promise<void> {
    await endSerial(await startSerial(folder), user)
    const versions = requireStatus(200, await operationsOn(server)('Document.GetVersions', { input: folder.uid }))
    assert.deepEqual([await statesOf(folder), versions.entries.length], [['approved'], 1])
  }

  test('approves what is open to those who take part', async () => {
    const folder = await createFolder()
    const inner = await createIn(folder, 'Folder')
    const [file, leaf] = [await createIn(folder), await createIn(inner)]
    await review(folder)
    assert.deepEqual(await statesOf(file, inner, leaf), ['approved', 'approved', 'approved'])
    assert.equal((await bench.readProperties(leaf.uid))['dc:lastContributor'], 'bob')
  })

  test('leaves what is hidden from who started it and who ends it as it was, with its stamps', async () => {
    const folder = await createFolder()
    const hidden = await createHidden(folder, 'eve')
    const before = await stampsOf(hidden)
    await review(folder)
    assert.deepEqual(await statesOf(hidden), ['project'])
    assert.deepEqual(await stampsOf(hidden), before)
  })

  test('approves what one of the two may change', async () => {
    const folder = await createFolder()
    const [ofStarter, ofEnder] = [await createHidden(folder, 'alice'), await createHidden(folder, 'bob')]
    await review(folder)
    assert.deepEqual(await statesOf(ofStarter, ofEnder), ['approved', 'approved'])
  })

  test('asks anew for what is in a folder, hidden or not', async () => {
    const folder = await createFolder()
    const [closed, open] = [await createIn(folder, 'Folder'), await createIn(folder, 'Folder')]
    const [inClosed, inOpen] = [await createIn(closed), await createIn(open)]
    await bench.restrict(closed.uid, grant('eve', 'Read'))
    await bench.restrict(inClosed.uid, grant('bob', 'ReadWrite'))
    await bench.restrict(inOpen.uid, grant('eve', 'Read'))
    await review(folder)
    assert.deepEqual(await statesOf(closed, inClosed, open, inOpen), ['project', 'approved', 'approved', 'project'])
  })

  test('leaves what both may only read', async () => {
    const folder = await createFolder()
    const [ofStarter, ofEnder] = [await createHidden(folder, 'alice', 'Read'), await createHidden(folder, 'bob', 'Read')]
    await review(folder)
    assert.deepEqual(await statesOf(ofStarter, ofEnder), ['project', 'project'])
  })

  test('leaves what another has locked, and not what one of them has', async () => {
    const folder = await createFolder()
    const created = '2031-01-01T00:00:00.000Z'
    const locked = await Promise.all(
      ['alice', 'bob', 'carl'].map(async (owner) => {
        const child = await createIn(folder)
        await bench.change(child.uid, { lock: { owner, created } })
        return child
      }),
    )
    await review(folder)
    assert.deepEqual(await statesOf(...locked), ['approved', 'approved', 'project'])
  })

  test('approves all of it when an administrator ends it, who could do so without it', async () => {
    const folder = await createFolder()
    const hidden = await createHidden(folder, 'eve')
    await review(folder, 'Administrator')
    assert.deepEqual(await statesOf(hidden), ['approved'])
  })

  test('leaves what is hidden where it is a parallel one', async () => {
    const folder = await createFolder()
    const [open, hidden] = [await createIn(folder), await createHidden(folder, 'eve')]
    const { id } = await flows.start(folder.uid, parallel, 'alice')
    const sent = { participants: ['user:bob'], end_date: '2091-01-01T00:00:00.000Z' }
    await flows.complete((await flows.task(id)).id, 'start_review', sent, 'alice')
    await flows.complete((await flows.task(id)).id, 'approve', {}, 'bob')
    await flows.complete((await flows.task(id)).id, 'validate', {}, 'alice')
    await untilIdle(server)
    assert.deepEqual(await statesOf(folder, open, hidden), ['approved', 'approved', 'project'])
  })

  describe('once who started it is gone,', () => {
    test('approves only what the other may change, whoever has the name since', async () => {
      await server.addUser('starter', ['members'])
      const folder = await createFolder()
      await bench.restrict(folder.uid, grant('members', 'ReadWrite'))
      const { id } = await flows.start(folder.uid, serial, 'starter')
      await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:bob'] }, 'starter')
      requireStatus(204, await server.as('Administrator').delete('/user/starter'))
      await untilIdle(server)
      await server.addUser('starter', ['members'])
      const [ofNamesake, ofEnder] = [await createHidden(folder, 'starter'), await createHidden(folder, 'bob')]
      await endSerial(id)
      assert.deepEqual(await statesOf(ofNamesake, ofEnder), ['project', 'approved'])
    })
  })
})
