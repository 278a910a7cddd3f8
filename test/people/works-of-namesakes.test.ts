import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { grant } from '../../src/model/rights/acl.ts'
import type { TestServer } from '../../src/testing.ts'
import { aUser } from '../support/accounts.ts'
import { untilIdle } from '../support/background.ts'
import { operationsOn } from '../support/operations.ts'
import { changesTo } from '../support/sent-documents.ts'
import { onEachServer } from '../support/servers.ts'
import { type Answered, requireStatus, workbenchOn } from '../support/workbench.ts'
import { workflowsOn } from '../support/workflows.ts'

function peopleOn(server: TestServer) {
  const administrator = () => server.as('Administrator')
  const add = async (name: string): Promise<unknown> =>
    requireStatus(201, await administrator().post('/user', aUser(name, { password: name, groups: ['members'] })))
  return {
    add,
    async replace(name: string): Promise<void> {
      requireStatus(204, await administrator().delete(`/user/${name}`))
      await untilIdle(server)
      await add(name)
    },
  }
}

onEachServer('what a removed user has left, for the next one of that name:', (server) => {
  const bench = workbenchOn(server)
  const people = peopleOn(server)
  const flows = workflowsOn(server)
  const administrator = () => server.as('Administrator')
  const makeOpen = async (type = 'File', permission = 'ReadWrite'): Promise<Answered> => {
    const made = await bench.create(type)
    await bench.restrict(made.uid, grant('members', permission))
    return made
  }
  before(() => people.add('bob'))

  for (const kind of ['comment', 'annotation']) {
    describe(`a ${kind}`, () => {
      const said = (fields: object = {}) => ({
        'entity-type': kind,
        text: 'said',
        ...(kind === 'annotation' && { xpath: 'file:content' }),
        ...fields,
      })
      const say = async (user: string, uid: string, fields: object = {}): Promise<string> =>
        requireStatus(201, await server.as(user).post(`/id/${uid}/@${kind}`, said(fields)))['id']
      const assertForeign = async (user: string, uid: string, id: string) => {
        const as = server.as(user)
        requireStatus(200, await as.get(`/id/${uid}/@${kind}/${id}`))
        requireStatus(403, await as.put(`/id/${uid}/@${kind}/${id}`, said({ text: 'forged' })))
        requireStatus(403, await as.put(`/id/${id}`, changesTo({ 'comment:text': 'forged' })))
        requireStatus(403, await as.delete(`/id/${uid}/@${kind}/${id}`))
        requireStatus(403, await as.delete(`/id/${id}`))
        requireStatus(403, await operationsOn(server, user)('Document.Delete', { input: id }))
        assert.equal(requireStatus(200, await as.get(`/id/${uid}/@${kind}/${id}`))['text'], 'said')
      }

      test('is somebody else’s, also with a date that its author has told, and their own is their own', async () => {
        const name = `writer-of-${kind}`
        await people.add(name)
        const { uid } = await makeOpen()
        const plain = await say(name, uid)
        const dated = await say(name, uid, { creationDate: '2090-01-01T00:00:00.000Z' })
        requireStatus(200, await server.as(name).put(`/id/${uid}/@${kind}/${plain}`, said()))
        await people.replace(name)
        await assertForeign(name, uid, plain)
        await assertForeign(name, uid, dated)
        const own = await say(name, uid)
        requireStatus(200, await server.as(name).put(`/id/${uid}/@${kind}/${own}`, said({ text: 'changed' })))
        requireStatus(204, await server.as(name).delete(`/id/${uid}/@${kind}/${own}`))
      })

      test('stays so with a version of the document that is made later', async () => {
        const name = `early-${kind}`
        await people.add(name)
        const { uid } = await makeOpen()
        await say(name, uid)
        await people.replace(name)
        const call = operationsOn(server)
        requireStatus(200, await call('Document.CheckIn', { input: uid, params: { version: 'minor' } }))
        const { uid: version } = requireStatus(200, await call('Document.GetLastVersion', { input: uid }))
        const { entries } = requireStatus(200, await server.as(name).get(`/id/${version}/@comment`))
        assert.equal(entries.length, 1)
        await assertForeign(name, version, entries[0].id)
      })
    })
  }

  test('a lock keeps them from the document as it keeps others, and is not theirs to release', async () => {
    await people.add('locker')
    const { uid } = await makeOpen()
    const as = server.as('locker')
    requireStatus(200, await operationsOn(server, 'locker')('Document.Lock', { input: uid }))
    requireStatus(200, await as.put(`/id/${uid}`, changesTo({ 'dc:description': 'mine' })))
    await people.replace('locker')
    for (const user of ['locker', 'bob']) {
      requireStatus(403, await server.as(user).put(`/id/${uid}`, changesTo({ 'dc:description': 'taken' })))
      requireStatus(409, await operationsOn(server, user)('Document.Unlock', { input: uid }))
      requireStatus(403, await server.as(user).delete(`/id/${uid}`))
    }
    requireStatus(200, await operationsOn(server)('Document.Unlock', { input: uid }))
    requireStatus(200, await operationsOn(server, 'locker')('Document.Lock', { input: uid }))
    requireStatus(200, await as.put(`/id/${uid}`, changesTo({ 'dc:description': 'mine now' })))
    requireStatus(200, await operationsOn(server, 'locker')('Document.Unlock', { input: uid }))
    assert.equal(
      requireStatus(200, await administrator().get(`/id/${uid}`, { properties: '*' })).properties['dc:description'],
      'mine now',
    )
  })

  test('a lock is not theirs to overcome by a review that they start', async () => {
    await people.add('keeper')
    const { uid } = await makeOpen()
    requireStatus(200, await operationsOn(server, 'keeper')('Document.Lock', { input: uid }))
    await people.replace('keeper')
    const { id } = await flows.start(uid, 'SerialDocumentReview', 'keeper')
    await flows.complete((await flows.task(id)).id, 'start_review', { participants: ['user:keeper'] }, 'keeper')
    requireStatus(409, await flows.tryTo((await flows.task(id)).id, 'validate', {}, 'keeper'))
    assert.equal((await bench.read(uid)).state, 'project')
  })

  test('a workflow is not theirs to look after, also when they are asked for a task of it', async () => {
    await people.add('starter')
    const { uid } = await makeOpen()
    const { id } = await flows.start(uid, 'ParallelDocumentReview', 'starter')
    const end_date = '2091-01-01T00:00:00.000Z'
    const participants = ['user:bob', 'user:Administrator']
    await flows.complete((await flows.task(id)).id, 'start_review', { participants, end_date }, 'starter')
    await people.replace('starter')
    const [tasks] = [await flows.tasks(`?workflowInstanceId=${id}`)]
    const taskOf = (user: string) => tasks.find(({ actors }) => JSON.stringify(actors).includes(user))?.id
    requireStatus(200, await server.as('bob').put(`/task/${taskOf('bob')}/delegate?delegatedActors=user:starter`))
    requireStatus(403, await server.as('starter').put(`/task/${taskOf('Administrator')}/reassign?actors=user:starter`))
    requireStatus(403, await server.as('starter').delete(`/workflow/${id}`))
    requireStatus(200, await flows.tryTo(taskOf('bob'), 'approve', {}, 'starter'))
  })

  test('a tag is not theirs to take off, also of a version, without the right to write', async () => {
    await people.add('tagger')
    const { uid } = await makeOpen('File', 'Read')
    const call = operationsOn(server, 'tagger')
    const tag = (input: string, tags: string) => call('Services.TagDocument', { input, params: { tags } })
    const untag = (input: string, tags: string) => call('Services.UntagDocument', { input, params: { tags } })
    requireStatus(200, await tag(uid, 'old,older'))
    requireStatus(200, await untag(uid, 'older'))
    requireStatus(200, await operationsOn(server)('Document.CheckIn', { input: uid, params: { version: 'minor' } }))
    const { uid: version } = requireStatus(200, await operationsOn(server)('Document.GetLastVersion', { input: uid }))
    await people.replace('tagger')
    for (const place of [uid, version]) assert.match((await untag(place, 'old')).text, /Unable to remove tag old/)
    await bench.restrict(uid, grant('tagger', 'ReadWrite'))
    requireStatus(200, await untag(uid, 'old'))
    assert.deepEqual((await bench.readProperties(uid))['nxtag:tags'], [])
  })

  test('a conversion is not told to them', async () => {
    await people.add('converter')
    const { uid } = await makeOpen('Note')
    requireStatus(
      200,
      await administrator().put(`/id/${uid}`, changesTo({ 'note:note': 'text', 'note:mime_type': 'text/plain' })),
    )
    const asked = await server.as('converter').post(`/id/${uid}/@convert?type=text/html&async=true`, {})
    const { conversionId } = requireStatus(202, asked)
    requireStatus(200, await server.as('converter').get(`/conversions/${conversionId}/poll`))
    await people.replace('converter')
    requireStatus(404, await server.as('converter').get(`/conversions/${conversionId}/poll`))
    requireStatus(404, await server.as('converter').get(`/conversions/${conversionId}/result`))
  })
})

onEachServer(
  'on a server that keeps the rights of those who are removed',
  (server) => {
    test('comments, tags and locks are the next one’s of that name', async () => {
      const bench = workbenchOn(server)
      const people = peopleOn(server)
      await people.add('leaver')
      const { uid } = await bench.create('File')
      await bench.restrict(uid, grant('leaver', 'ReadWrite'))
      const as = server.as('leaver')
      const said = requireStatus(201, await as.post(`/id/${uid}/@comment`, { 'entity-type': 'comment', text: 'said' }))
      requireStatus(200, await operationsOn(server, 'leaver')('Document.Lock', { input: uid }))
      const tagged = { input: uid, params: { tags: 'old' } }
      requireStatus(200, await operationsOn(server, 'leaver')('Services.TagDocument', tagged))
      await bench.restrict(uid, grant('leaver', 'Read'))
      await people.replace('leaver')
      requireStatus(200, await operationsOn(server, 'leaver')('Services.UntagDocument', tagged))
      await bench.restrict(uid, grant('leaver', 'ReadWrite'))
      requireStatus(204, await as.delete(`/id/${uid}/@comment/${said['id']}`))
      requireStatus(200, await operationsOn(server, 'leaver')('Document.Unlock', { input: uid }))
    })
  },
  { settings: { removedPeopleRights: 'keep' } },
)
