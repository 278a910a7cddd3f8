import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { claimAssembly } from '../../src/core/uploads/assemble-file.ts'
import { startTestServer, type TestServer } from '../../src/testing.ts'
import { filledPlace } from '../support/fresh-place.ts'
import { onEachServer } from '../support/servers.ts'
import { assertEmpty, assertError, batchOf, beginBatch, beginSlowUpload, fileOf, type SentBatch } from '../support/uploads.ts'
import { workbenchOn } from '../support/workbench.ts'

const md5 = (content: string) => hash('md5', content, 'hex')
const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const countOf = (statuses: readonly number[]) =>
  Object.fromEntries(Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]))
const rowsOf = (server: TestServer, { id }: SentBatch) =>
  server.asSystem(async ({ tx }) => (await tx.transient.list(`upload/${id}/`, '2000-01-01T00:00:00.000Z')).map(({ key }) => key))

onEachServer('uploads side by side', (server) => {
  const bench = workbenchOn(server)
  const contentOf = async (batch: SentBatch, index = 0) => {
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch, index) })
    return (await bench.readProperties(uid))['file:content']
  }

  test('of 50 chunks make one file, and exactly one of them completes it', async () => {
    const batch = await beginBatch(server)
    const answers = await times(50, (at) => batch.sendChunk(0, { at, of: 50, content: `chunk ${at};` }))
    assert.deepEqual(countOf(answers.map(({ status }) => status)), { 201: 1, 202: 49 })
    const lengths = answers.map(({ body }) => body.uploadedChunkIds.length).sort((left, right) => left - right)
    assert.deepEqual(
      lengths,
      Array.from({ length: 50 }, (_, index) => index + 1),
    )
    const expected = Array.from({ length: 50 }, (_, at) => `chunk ${at};`).join('')
    assert.equal((await contentOf(batch)).digest, md5(expected))
  })

  test('of the same chunk store it once', async () => {
    const batch = await beginBatch(server)
    const answers = await times(10, (index) => batch.sendChunk(0, { at: 0, of: 2, content: `by ${index}` }))
    assert.deepEqual(countOf(answers.map(({ status }) => status)), { 202: 1, 409: 9 })
    const winner = answers.findIndex(({ status }) => status === 202)
    await batch.sendChunk(0, { at: 1, of: 2, content: '.' })
    assert.equal((await contentOf(batch)).digest, md5(`by ${winner}.`))
  })

  test('of many files lose none', async () => {
    const batch = await beginBatch(server)
    await times(50, (index) => batch.send(index, `file ${index}`, { 'X-File-Name': `f${index}` }))
    const { body } = await batch.get()
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      Array.from({ length: 50 }, (_, index) => `f${index}`),
    )
  })

  test('of one file in one piece leave the whole of one of them', async () => {
    const batch = await beginBatch(server)
    const answers = await times(10, (index) => batch.send(0, `${index}`.repeat(1000), { 'X-File-Name': `f${index}` }))
    assert.ok(answers.every(({ status }) => status === 201))
    const { name, digest } = await contentOf(batch)
    assert.equal(digest, md5(name.slice(1).repeat(1000)))
  })

  test('in chunks and in one piece end in one or the other', async () => {
    const batch = await beginBatch(server)
    const answers = await times(12, (index) =>
      index % 4 === 0 ? batch.send(0, 'whole') : batch.sendChunk(0, { at: index, of: 12, content: 'c' }),
    )
    assert.ok(answers.every(({ status }) => [201, 202, 409].includes(status)))
    assert.equal((await batch.get()).body.length, 1)
    await batch.send(0, 'whole')
    assert.equal((await contentOf(batch)).digest, md5('whole'))
  })

  test('with the removal of their file leave no chunk without its file', async () => {
    const batch = await beginBatch(server)
    await Promise.all([times(20, (at) => batch.sendChunk(0, { at, of: 99, content: 'c' })), times(5, () => batch.delete('/0'))])
    await batch.delete('/0')
    assertEmpty(await batch.get(), 204)
    assert.deepEqual(
      (await rowsOf(server, batch)).filter((key) => key.includes('/file/')),
      [],
    )
    assert.equal((await batch.sendChunk(0, { at: 0, of: 1, content: 'new' })).status, 201)
  })

  test('with the removal of their batch leave nothing of it', async () => {
    for (let round = 0; round < 5; round++) {
      const batch = await beginBatch(server)
      const uploads = times(10, (index) => batch.sendChunk(index % 3, { at: index, of: 10, content: 'c' }))
      const removed = times(3, () => batch.delete())
      const statuses = (await uploads).map(({ status }) => status)
      assert.ok(statuses.every((status) => status === 202 || status === 404))
      assert.ok((await removed).some(({ status }) => status === 204))
      assert.deepEqual(await rowsOf(server, batch), [])
    }
  })

  test('of what is dropped while it comes in are 404', async () => {
    const batch = await beginBatch(server)
    const upload = await beginSlowUpload(server, batch, 0)
    await batch.delete()
    assert.equal(await upload.finish('late'), 404)
    assert.deepEqual(await rowsOf(server, batch), [])
  })

  test('are used by many requests at once, of which each gets the file or nothing', async () => {
    const batch = await beginBatch(server)
    await batch.send(0, 'shared')
    const created = await times(8, () => bench.create('File', { 'file:content': fileOf(batch) }))
    const digests = await Promise.all(created.map(async ({ uid }) => (await bench.readProperties(uid))['file:content']?.digest))
    assert.ok(digests.includes(md5('shared')))
    assert.ok(digests.every((digest) => digest === undefined || digest === md5('shared')))
  })
})

onEachServer('a file whose chunks were never put together', (server) => {
  const bench = workbenchOn(server)

  /** As it is when a process ends between the last chunk and the whole file. */
  const aTornFile = async () => {
    const { uploads } = server.services
    const batch = await beginBatch(server)
    await batch.sendChunk(0, { at: 0, of: 2, content: 'he' })
    const blobs = Object.create(uploads.blobs) as typeof uploads.blobs
    const stopped = new Error('the process ended')
    const write = uploads.blobs.write
    let writes = 0
    const dying: typeof write = (content, options) =>
      ++writes > 1 ? Promise.reject(stopped) : write.call(blobs, content, options)
    Object.assign(uploads.blobs, { write: dying })
    assert.equal((await batch.sendChunk(0, { at: 1, of: 2, content: 'llo' })).status, 500)
    Object.assign(uploads.blobs, { write })
    return batch
  }

  test('is shown as complete, and is put together by whoever looks at it', async () => {
    const batch = await aTornFile()
    const { status, body } = await batch.get('/0')
    assert.deepEqual([status, body.uploadedChunkIds], [200, [0, 1]])
    assert.ok((await rowsOf(server, batch)).every((key) => !/\/file\/\d+\/\d+$/.test(key)))
  })

  test('is put together for who uses it', async () => {
    const batch = await aTornFile()
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    assert.equal((await bench.readProperties(uid))['file:content'].digest, md5('hello'))
  })

  test('is put together for who says that it is complete', async () => {
    const batch = await aTornFile()
    assert.equal((await batch.post('/0/complete', { fileSize: 5, md5: md5('hello') })).status, 200)
  })

  test('is waited for while another process seems to be at it, and taken over when that is dead', async () => {
    const batch = await aTornFile()
    const { store, now } = server.services.uploads
    assert.ok(await store.transact((tx) => claimAssembly(tx.transient, batch.id, 0, now())))
    assert.equal((await batch.get('/0')).status, 200)
    const { uid } = await bench.create('File', { 'file:content': fileOf(batch) })
    assert.equal((await bench.readProperties(uid))['file:content'].digest, md5('hello'))
  })

  test('can be used by many at once', async () => {
    const batch = await aTornFile()
    const create = () => bench.create('File', { 'file:content': fileOf(batch) }, { headers: { 'X-Batch-No-Drop': 'true' } })
    const created = await times(5, create)
    for (const { uid } of created) assert.equal((await bench.readProperties(uid))['file:content'].digest, md5('hello'))
  })
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`two servers on one database and one store of files (${engine})`, () => {
    let servers: readonly [TestServer, TestServer]
    before(async () => {
      const { settings } = await filledPlace(engine)
      servers = [await startTestServer({ settings }), await startTestServer({ settings })]
    })
    after(() => Promise.all(servers.map((server) => server.stop())))

    test('make one file of chunks that are sent to both in turn', async () => {
      const { id } = await beginBatch(servers[0])
      const at = (index: number) => batchOf(servers[index % 2] as TestServer, id)
      const answers = await times(20, (chunk) => at(chunk).sendChunk(0, { at: chunk, of: 20, content: `${chunk},` }))
      assert.deepEqual(countOf(answers.map(({ status }) => status)), { 201: 1, 202: 19 })
      for (const index of [0, 1]) assert.equal((await at(index).get('/0')).status, 200)
      const bench = workbenchOn(servers[1])
      const { uid } = await bench.create('File', { 'file:content': fileOf({ id }) })
      const expected = Array.from({ length: 20 }, (_, chunk) => `${chunk},`).join('')
      assert.equal((await bench.readProperties(uid))['file:content'].digest, md5(expected))
      for (const index of [0, 1]) assertError(await at(index).get(), 404, /./)
    })

    test('see the same files, and refuse the same chunk', async () => {
      const { id } = await beginBatch(servers[0])
      const [one, other] = servers.map((server) => batchOf(server, id)) as [SentBatch, SentBatch]
      await one.send(0, 'x', { 'X-File-Name': 'a.txt' })
      await other.sendChunk(1, { at: 0, of: 2, content: 'x' })
      assert.equal((await one.sendChunk(1, { at: 0, of: 2, content: 'y' })).status, 409)
      assert.deepEqual((await one.get()).body, (await other.get()).body)
      assertEmpty(await other.delete(), 204)
      assertError(await one.get(), 404, /./)
    })
  })
}
