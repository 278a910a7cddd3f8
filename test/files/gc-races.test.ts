import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../src/base/ids.ts'
import { checkBlobs } from '../../src/core/blob-check/check-blobs.ts'
import { ageFiles, type FileServer, onEachFileServer } from '../support/file-servers.ts'

const folder = '/path/default-domain/workspaces'

async function createFile({ server }: FileServer, content: object): Promise<string> {
  const sent = { 'entity-type': 'document', type: 'File', name: 'f', properties: { 'file:content': content } }
  const { status, body, text } = await server.as('Administrator').post(folder, sent)
  assert.equal(status, 201, text)
  return body.uid
}

async function collect({ server }: FileServer): Promise<void> {
  const { status, text } = await server.as('Administrator').delete('/management/blobs/orphaned')
  assert.equal(status, 200, text)
}

async function requireNoFlaws({ server }: FileServer): Promise<void> {
  const repository = server.services.repositories.get('default')
  assert.ok(repository)
  const checked = await Array.fromAsync(checkBlobs(repository))
  assert.ok(checked.length > 0)
  assert.deepEqual(
    checked.flatMap(({ flaws }) => flaws),
    [],
  )
}

/** Two moments of a transaction: what it has read, and leave to go on. */
function createGate() {
  const [reached, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    pass: () => {
      reached.resolve()
      return open.promise
    },
    reached: reached.promise,
    open: () => open.resolve(),
  }
}

onEachFileServer('a collection between the steps of others', (started) => {
  test('leaves a file alone that is written and not referred to yet', async () => {
    const here = started()
    const gate = createGate()
    const blob = await here.blobs.write(Buffer.from('staged'))
    const value = { ...blob, name: 'a.txt', 'mime-type': 'text/plain', encoding: null }
    const saving = gate.pass().then(() =>
      here.server.asSystem(async ({ tx }) => {
        const parent = await tx.documents.findByPath('/default-domain/workspaces')
        assert.ok(parent)
        const place = { id: newId(), parentId: parent.id, name: 'staged', path: `${parent.path}/staged` }
        await tx.documents.insert({ ...parent, ...place, type: 'File', properties: { 'file:content': value } })
      }),
    )
    await collect(here)
    gate.open()
    await saving
    await requireNoFlaws(here)
  })

  // On SQLite nobody removes anything while another transaction is open.
  test('leaves a file alone that is being copied from a document which is removed meanwhile', async (context) => {
    const here = started()
    if (here.engine === 'sqlite') return context.skip('one transaction at a time')
    const uid = await createFile(here, { data: `of old ${newId()}`, name: 'a.txt' })
    const gate = createGate()
    const copying = here.server.asSystem(async ({ tx }) => {
      const source = await tx.documents.find(uid)
      assert.ok(source)
      await gate.pass()
      const name = `copy-${uid}`
      await tx.documents.insert({ ...source, id: newId(), name, path: `/default-domain/workspaces/${name}` })
    })
    await gate.reached
    assert.equal((await here.server.as('Administrator').delete(`/id/${uid}`)).status, 204)
    await ageFiles(here)
    await collect(here)
    gate.open()
    await copying
    await requireNoFlaws(here)
  })

  test('leaves a file alone that is used by one request while another drops its batch', async () => {
    const here = started()
    const administrator = here.server.as('Administrator')
    const { batchId } = (await administrator.post('/upload')).body
    await administrator.call('POST', `api/v1/upload/${batchId}/0`, { body: `uploaded ${newId()}` })
    const mentioned = await here.server.services.uploads.store.reader.blobKeys.listMentioned()
    // The digest that clients are shown is mentioned beside the key.
    const found = [...mentioned].filter((key) => key.length === 64)
    assert.ok(found.length > 0)
    await createFile(here, { 'upload-batch': batchId, 'upload-fileId': '0' })
    const { body } = await administrator.get(`${folder}/@children`, { properties: 'file' })
    for (const { uid } of body.entries) await administrator.delete(`/id/${uid}`)
    await ageFiles(here)
    await collect(here)
    for (const key of found) assert.equal(await here.blobs.has(key), true, 'the other request may be about to refer to it')
  })
})
