import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { attach, blobsOf } from '../support/files.ts'
import { operationsOn } from '../support/operations.ts'
import { onEachServer } from '../support/servers.ts'
import { specimenOperations } from '../support/specimen-operations.ts'
import { beginBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

onEachServer(
  '1.6 files in parameters',
  (server) => {
    const bench = workbenchOn(server)
    const call = operationsOn(server)

    async function aBatch(...names: readonly string[]) {
      const batch = await beginBatch(server)
      for (const [index, name] of names.entries()) await batch.send(index, `content of ${name}`, { 'X-File-Name': name })
      return batch
    }

    describe('of type blob', () => {
      test('are files of an upload batch, which is dropped afterwards', async () => {
        const batch = await aBatch('a.txt', 'b.txt')
        const one = (fileId: string | number) => ({ 'upload-batch': batch.id, 'upload-fileId': fileId })
        const { status, body } = await call('Specimen.Tell', { params: { file: one('0'), files: [one(1), one('0')] } })
        assert.deepEqual([status, body.value.file, body.value.files], [200, 'a.txt', ['b.txt', 'a.txt']])
        assert.equal((await batch.get()).status, 404)
      })

      test('keep their batch with X-Batch-No-Drop', async () => {
        const batch = await aBatch('a.txt')
        const params = { file: { 'upload-batch': batch.id, 'upload-fileId': '0' } }
        assert.equal((await call('Specimen.Tell', { params }, { 'X-Batch-No-Drop': 'true' })).status, 200)
        assert.equal((await batch.get()).status, 200)
      })

      test('lose their batch also when the call fails', async () => {
        const batch = await aBatch('a.txt')
        const params = { file: { 'upload-batch': batch.id, 'upload-fileId': '0' }, document: '/no/such' }
        assert.equal((await call('Specimen.Tell', { params })).status, 404)
        assert.equal((await batch.get()).status, 404)
      })

      test('are refused with 400 when there is no such file', async () => {
        const batch = await aBatch('a.txt')
        const { status, body } = await call('Specimen.Tell', {
          params: { file: { 'upload-batch': batch.id, 'upload-fileId': '7' } },
        })
        assert.equal(status, 400)
        assert.match(body.message, /^Failed to invoke operation: Specimen\.Tell, Parameter 'file' must be of type blob/)
      })

      test('are texts with a name', async () => {
        const { body } = await call('Specimen.Tell', {
          params: { file: { data: 'text', name: 'a.txt', 'mime-type': 'text/plain' } },
        })
        assert.equal(body.value.file, 'a.txt')
      })

      test('are addresses of files of this server, and of no other', async () => {
        const { uid } = await bench.create('File', {})
        await attach(server, uid, 'x', { name: 'linked.txt' })
        const url = `${server.url}nxfile/default/${uid}/file:content/linked.txt`
        assert.equal((await call('Specimen.Tell', { params: { file: { data: url } } })).body.value.file, 'linked.txt')
        assert.equal((await call('Specimen.Tell', { params: { file: url } })).body.value.file, 'linked.txt')
        assert.equal((await call('Specimen.Tell', { params: { file: 'http://elsewhere.test/x' } })).status, 400)
      })

      test('come as variables of the context, too', async () => {
        const batch = await aBatch('a.txt')
        const context = { file: { 'upload-batch': batch.id, 'upload-fileId': '0' } }
        assert.equal((await call('Specimen.Tell', { context })).body.value.file, 'a.txt')
      })
    })

    describe('inside properties', () => {
      const file = (id: string, index = 0) => ({ 'upload-batch': id, 'upload-fileId': String(index) })

      async function updated(properties: unknown) {
        const { uid } = await bench.create('File', {})
        const { status, body } = await call('Document.Update', { input: uid, params: { properties } })
        assert.equal(status, 200, JSON.stringify(body))
        return bench.readProperties(uid)
      }

      test('are found in JSON', async () => {
        const batch = await aBatch('main.txt', 'one.txt', 'two.txt')
        const shown = await updated({
          'file:content': file(batch.id),
          'files:files': [{ file: file(batch.id, 1) }, { file: file(batch.id, 2) }],
        })
        assert.equal(shown['file:content'].name, 'main.txt')
        assert.deepEqual(
          shown['files:files'].map((one: { file: { name: string } }) => one.file.name),
          ['one.txt', 'two.txt'],
        )
        assert.equal((await batch.get()).status, 404)
      })

      test('are found in JSON text of a JSON object', async () => {
        const batch = await aBatch('main.txt')
        const shown = await updated({ 'file:content': JSON.stringify(file(batch.id)) })
        assert.equal(shown['file:content'].name, 'main.txt')
      })

      test('are found in the lines of a text', async () => {
        const batch = await aBatch('main.txt', 'one.txt')
        const shown = await updated(
          `dc:title=t\nfile:content=${JSON.stringify(file(batch.id))}\nfiles:files=${JSON.stringify([{ file: file(batch.id, 1) }])}`,
        )
        assert.deepEqual([shown['file:content'].name, shown['files:files'][0].file.name], ['main.txt', 'one.txt'])
      })

      test('may be texts', async () => {
        const shown = await updated({ 'file:content': { data: 'hello', name: 'h.txt', 'mime-type': 'text/x-own' } })
        assert.deepEqual([shown['file:content'].name, shown['file:content'].length], ['h.txt', '5'])
      })

      test('of a document entity are found, too', async () => {
        const batch = await aBatch('main.txt')
        const { uid } = await bench.create('File', {})
        const input = { 'entity-type': 'document', uid, properties: { 'file:content': file(batch.id) } }
        const { status } = await call('Document.Update', { input, params: { properties: { 'dc:title': 'both' } } })
        assert.equal(status, 200)
        const shown = await bench.readProperties(uid)
        assert.deepEqual([shown['dc:title'], shown['file:content'].name], ['both', 'main.txt'])
      })
    })

    test('are stored before the transaction begins, and once', async () => {
      const store = blobsOf(server)
      const events: string[] = []
      const { write } = store
      const { transact } = server.services.repositories.get('default')?.store ?? {}
      const repository = server.services.repositories.get('default')
      assert.ok(repository !== undefined && transact !== undefined)
      const { uid } = await bench.create('File', {})
      Object.assign(store, {
        write(...sent: Parameters<typeof write>) {
          events.push('write')
          return write.apply(store, sent)
        },
      })
      Object.assign(repository.store, {
        transact(...sent: Parameters<typeof transact>) {
          events.push('transact')
          return transact.apply(repository.store, sent)
        },
      })
      try {
        const properties = { 'file:content': { data: 'only once', name: 'h.txt' } }
        assert.equal((await call('Document.Update', { input: uid, params: { properties } })).status, 200)
      } finally {
        Object.assign(store, { write })
        Object.assign(repository.store, { transact })
      }
      assert.deepEqual(events.slice(0, 2), ['write', 'transact'])
      assert.equal(events.filter((event) => event === 'write').length, 1)
    })
  },
  { plugins: [specimenOperations] },
)
