import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { batchOf, beginBatch, beginSlowUpload } from '../support/uploads.ts'

onEachServer(
  '1.9 an operation on an upload batch',
  (server) => {
    async function aBatch(...names: readonly string[]) {
      const batch = await beginBatch(server)
      for (const [index, name] of names.entries()) await batch.send(index, `content of ${name}`, { 'X-File-Name': name })
      return batch
    }

    test('takes all files by their indexes, also when there is one', async () => {
      const batch = await beginBatch(server)
      await batch.send(10, 'x', { 'X-File-Name': 'ten.txt' })
      await batch.send(2, 'x', { 'X-File-Name': 'two.txt' })
      const { status, body } = await batch.post('/execute/Specimen.Tell', { params: { text: 't' }, context: { v: 1 } })
      assert.equal(status, 200)
      assert.deepEqual([body.value.input, body.value.names, body.value.text], ['blobs', ['two.txt', 'ten.txt'], 't'])
      assert.ok(body.value.variables.includes('v'))
      const single = await (await aBatch('a.txt')).post('/execute/Specimen.Tell', {})
      assert.deepEqual([single.body.value.input, single.body.value.names], ['blobs', ['a.txt']])
    })

    test('takes an empty list where there is no file', async () => {
      const { body } = await (await aBatch()).post('/execute/Specimen.Tell', {})
      assert.deepEqual([body.value.input, body.value.names], ['blobs', []])
    })

    test('waits for files that are coming in', async () => {
      const batch = await aBatch('a.txt')
      const upload = await beginSlowUpload(server, batch, 1)
      upload.write('some')
      const executed = batch.post('/execute/Specimen.Tell', {})
      setTimeout(() => void upload.finish(), 200)
      assert.equal((await executed).body.value.names.length, 2)
    })

    test('takes one file, and gives it back as a download', async () => {
      const batch = await aBatch('a.txt', 'b.txt')
      const { status, text, headers } = await batch.post('/1/execute/Specimen.Echo', {})
      assert.deepEqual([status, text], [200, 'content of b.txt'])
      assert.match(headers.get('content-disposition') ?? '', /filename=b\.txt/)
    })

    test('ignores an input of the body, needs none, and succeeds with 200 or 204', async () => {
      const ignored = await (await aBatch('a.txt')).post('/0/execute/Specimen.FileName', { input: 'doc:/' })
      assert.equal(ignored.body.value, 'a.txt')
      assert.equal((await (await aBatch('a.txt')).post('/0/execute/Specimen.FileName', '')).status, 200)
      const odd = await (await aBatch('a.txt')).post('/execute/Specimen.Tell', {}, { 'X-NXVoidOperation': 'true' })
      assert.equal(odd.status, 204)
      const chosen = await (await aBatch()).post('/execute/Specimen.Chosen', {})
      assert.equal(chosen.status, 200)
    })

    describe('acceptance 11', () => {
      test('an unknown batch is 404, as is an unknown index, and both are told', async () => {
        const { status, body } = await batchOf(server, 'batchId-00000000-unknown').post('/execute/Specimen.Tell', {})
        assert.equal(status, 404)
        assert.match(body.message, /There is no upload batch batchId-00000000-unknown/)
        assert.equal((await (await aBatch('a.txt')).post('/7/execute/Specimen.Tell', {})).status, 404)
      })

      test('an operation that is not for the caller is 403, and the batch is gone', async () => {
        await server.addUser('uploader')
        for (const id of ['Specimen.ForAdministrators', 'Specimen.ForFew']) {
          const batch = await aBatch('a.txt')
          const own = batchOf(server, batch.id, 'uploader')
          assert.equal((await own.post(`/0/execute/${id}`, {})).status, 403)
          assert.equal((await own.post(`/0/execute/${id}`, {})).status, 404)
        }
      })

      test('the batch stays with X-Batch-No-Drop', async () => {
        const batch = await aBatch('a.txt')
        assert.equal((await batch.post('/0/execute/Specimen.Echo', {}, { 'X-Batch-No-Drop': 'true' })).status, 200)
        assert.equal((await batch.post('/0/execute/Specimen.Echo', {})).status, 200)
        assert.equal((await batch.get()).status, 404)
      })

      test('the batch is gone when the operation failed', async () => {
        const batch = await aBatch('a.txt')
        assert.equal((await batch.post('/0/execute/Specimen.Fail', {})).status, 405)
        assert.equal((await batch.get()).status, 404)
      })
    })
  },
  { plugins: [specimenOperations] },
)
