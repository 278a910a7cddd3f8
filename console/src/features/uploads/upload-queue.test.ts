import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createUploadQueue, NetworkLoss, type UploadQueueOptions, type UploadTask, type UploadTransport } from './upload-queue.ts'

/** A server that keeps what arrives, and fails when it is told to. */
function aServer({ lossEvery = 0, refusal }: { lossEvery?: number; refusal?: string } = {}) {
  const batches = new Map<string, Map<number, Blob>>()
  const made = new Map<string, string>()
  let calls = 0
  let sending = 0
  let mostAtOnce = 0
  const mayFail = () => {
    calls += 1
    if (lossEvery > 0 && calls % lossEvery === 0) throw new NetworkLoss('lost')
  }
  const transport: UploadTransport = {
    async openBatch() {
      mayFail()
      const id = `batch-${batches.size}`
      batches.set(id, new Map())
      return id
    },
    async listChunks(batchId) {
      mayFail()
      const batch = batches.get(batchId)
      return batch && new Set(batch.keys())
    },
    async sendChunk({ batchId, index, bytes }, signal) {
      sending += 1
      mostAtOnce = Math.max(mostAtOnce, sending)
      await new Promise(setImmediate)
      sending -= 1
      signal.throwIfAborted()
      mayFail()
      assert.ok(!batches.get(batchId)?.has(index), 'no chunk is sent twice')
      batches.get(batchId)?.set(index, bytes)
    },
    async finish({ id, batchId }) {
      mayFail()
      if (refusal !== undefined) throw new Error(refusal)
      const chunks = [...(batches.get(batchId) ?? [])].sort(([one], [other]) => one - other).map(([, bytes]) => bytes)
      made.set(id, await new Blob(chunks).text())
    },
  }
  return { transport, made, batches, mostAtOnce: () => mostAtOnce }
}

function aQueue(transport: UploadTransport, options: Partial<UploadQueueOptions> = {}) {
  const kept = new Map<string, UploadTask>()
  const shelf = {
    put: async (task: UploadTask) => void kept.set(task.id, task),
    remove: async (id: string) => void kept.delete(id),
  }
  const rest = { chunkBytes: 4, pause: async () => {}, onChange: () => {}, onDone: () => {} }
  return { queue: createUploadQueue({ transport, shelf, ...rest, ...options }), kept }
}

const aTask = (id: string, text: string): UploadTask => ({
  id,
  owner: 'ann',
  parentId: 'folder',
  file: new File([text], `${id}.txt`),
})

async function until(isSo: () => boolean): Promise<void> {
  for (let round = 0; round < 2_000 && !isSo(); round += 1) await new Promise(setImmediate)
  assert.ok(isSo())
}

describe('the upload queue', () => {
  test('sends each file whole, three at a time', async () => {
    const server = aServer()
    const { queue, kept } = aQueue(server.transport)
    const texts = Array.from({ length: 10 }, (_, index) => `text number ${index}`)
    queue.add(texts.map((text, index) => aTask(String(index), text)))
    await until(() => queue.uploads.every(({ state }) => state === 'done'))
    assert.deepEqual([...server.made.values()].sort(), texts.sort())
    assert.equal(server.mostAtOnce(), 3)
    assert.equal(kept.size, 0)
  })

  test('makes a document of an empty file', async () => {
    const server = aServer()
    const { queue } = aQueue(server.transport)
    queue.add([aTask('empty', '')])
    await until(() => queue.uploads[0]?.state === 'done')
    assert.equal(server.made.get('empty'), '')
  })

  test('goes on where it was, however often the network is lost', async () => {
    const server = aServer({ lossEvery: 3 })
    const { queue } = aQueue(server.transport)
    queue.add(['a', 'b', 'c', 'd'].map((id) => aTask(id, `${id} is a rather long text`)))
    await until(() => queue.uploads.every(({ state }) => state === 'done'))
    assert.equal(server.made.get('c'), 'c is a rather long text')
  })

  test('says what the server refused, and tries again when told', async () => {
    const server = aServer({ refusal: 'You may not write here.' })
    const { queue, kept } = aQueue(server.transport)
    queue.add([aTask('a', 'text')])
    await until(() => queue.uploads[0]?.state === 'failed')
    assert.equal(queue.uploads[0]?.problem, 'You may not write here.')
    assert.equal(kept.size, 1)
    queue.resume('a')
    assert.equal(queue.uploads[0]?.state, 'sending')
  })

  test('pauses, and sends only the rest afterwards', async () => {
    const server = aServer()
    const { queue } = aQueue(server.transport)
    queue.add([aTask('a', 'x'.repeat(400))])
    await until(() => (queue.uploads[0]?.sentBytes ?? 0) > 40)
    queue.pause('a')
    await new Promise(setImmediate)
    assert.equal(queue.uploads[0]?.state, 'paused')
    queue.resume('a')
    await until(() => queue.uploads[0]?.state === 'done')
    assert.equal(server.made.get('a')?.length, 400)
  })

  test('goes on after another visit with what was kept', async () => {
    const server = aServer()
    const first = aQueue(server.transport)
    first.queue.add([aTask('a', 'x'.repeat(400))])
    await until(() => (first.queue.uploads[0]?.sentBytes ?? 0) > 40)
    const kept = [...first.kept.values()]
    first.queue.pause('a')
    await new Promise(setImmediate)
    const second = aQueue(server.transport)
    second.queue.add(kept)
    await until(() => second.queue.uploads[0]?.state === 'done')
    assert.equal(server.made.get('a')?.length, 400)
    assert.equal(server.batches.size, 1)
  })

  test('forgets what is cancelled', async () => {
    const server = aServer()
    const { queue, kept } = aQueue(server.transport)
    queue.add([aTask('a', 'x'.repeat(400))])
    queue.cancel('a')
    await until(() => kept.size === 0)
    assert.deepEqual(queue.uploads, [])
    assert.equal(server.made.size, 0)
  })
})
