import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { startTestServer, type TestServer } from 'quire/testing'
import approvals from './approvals.ts'

const workspaces = '/default-domain/workspaces'

describe('approvals', () => {
  let server: TestServer
  let folder: string
  let made = 0
  before(async () => {
    server = await startTestServer({ plugins: [approvals] })
  })
  after(() => server.stop())
  beforeEach(async () => {
    made += 1
    folder = (await create('Folder', {}, workspaces, `folder-${made}`)).path
  })

  const create = async (type: string, properties: object, parent: string, name: string) => {
    const body = { 'entity-type': 'document', type, name, properties }
    return (await server.as('Administrator').post(`/path${parent}`, body)).body
  }
  const call = (id: string, input: unknown, params: object = {}) =>
    server.as('Administrator').post(`/automation/${id}`, { input, params }, { properties: 'dublincore' })
  const read = async (path: string) =>
    (await server.as('Administrator').get(`/path${path}`, { properties: 'dublincore', 'fetch-document': 'lock' })).body

  test('an operation is called by its id and refuses with the message of its problem', async () => {
    const note = await create('Note', {}, folder, 'empty')
    const { status, body } = await call('Approvals.Approve', note.uid)
    assert.equal(status, 409)
    assert.equal(
      body.message,
      `Failed to invoke operation: Approvals.Approve, Failed to invoke operation Approvals.Approve, ${folder}/empty has no text that could be approved.`,
    )
  })

  test('a chain does all its steps', async () => {
    const note = await create('Note', { 'note:note': 'text' }, folder, 'full')
    const { status } = await call('Approvals.ApproveAndLock', note.uid, { remark: 'fine' })
    assert.equal(status, 200)
    const { state, properties, lockOwner } = await read(note.path)
    assert.deepEqual([state, properties['dc:rights'], lockOwner], ['approved', 'fine by Administrator', 'Administrator'])
  })

  test('another chain takes over where it fails', async () => {
    const note = await create('Note', {}, folder, 'empty')
    const { status, body } = await call('Approvals.ApproveAndLock', note.uid)
    assert.equal(status, 200)
    assert.equal(body.state, 'project')
    assert.match(body.properties['dc:rights'], /^sent back: .*has no text that could be approved\.$/)
  })

  test('a script calls operations and chains', async () => {
    await create('Note', { 'note:note': 'text' }, folder, 'full')
    await create('Note', {}, folder, 'empty')
    const { status, body } = await call('Approvals.ApproveAll', `doc:${folder}`, { remark: 'all fine' })
    assert.equal(status, 200)
    assert.deepEqual(body, ['full'])
    assert.equal((await read(`${folder}/full`)).properties['dc:rights'], 'all fine by Administrator')
  })

  test('a script is told its parameters, or refused', async () => {
    assert.equal((await call('Approvals.ApproveAll', `doc:${folder}`)).status, 400)
  })

  test('a document that was never stored can be the input of a script', async () => {
    const note = { 'entity-type': 'document', type: 'Note', name: 'note', properties: { 'dc:title': 'Not stored' } }
    const { body } = await call('Scripting.ReturnDocumentTitle', note)
    assert.deepEqual(body, { 'entity-type': 'string', value: 'Not stored' })
  })
})
