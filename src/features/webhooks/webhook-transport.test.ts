import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { DeliveryMessage, NetworkRules } from '../outbox/index.ts'
import { createWebhookTransport } from './webhook-transport.ts'

const rules: NetworkRules = {
  checkAddress: async (address) => ({ kind: 'allowed', address, family: 4 }),
  isInsecure: () => true,
  readAuthorities: async () => undefined,
}
const message: DeliveryMessage = {
  id: 'webhook/a/1',
  event: 'documentCreated',
  date: '2026-01-01T00:00:00.000Z',
  repository: 'default',
  documentId: '',
  json: '{}',
  position: null,
  isFullState: false,
}

async function postTo(listener: RequestListener, milliseconds: number, signal = new AbortController().signal) {
  const server = createServer(listener)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const transport = createWebhookTransport({ url: `http://127.0.0.1:${port}/`, secret: 'whsec_AAAA' }, rules)
  try {
    return await transport.post(message, { milliseconds, signal })
  } finally {
    transport.close()
    server.closeAllConnections()
    server.close()
  }
}

describe('a receiver that hangs', () => {
  const rows: readonly [what: string, listener: RequestListener][] = [
    ['before it answers', () => {}],
    ['in the middle of its answer', (_, response) => void response.writeHead(200, { 'content-length': '10' }).write('x')],
    ['by an answer without an end', (_, response) => void response.writeHead(200).write('x')],
  ]
  for (const [what, listener] of rows) {
    test(`${what} is left in time, and what it was sent counts as not taken`, async () => {
      const outcome = await postTo(listener, 50)
      assert.deepEqual(outcome, { kind: 'unavailable', error: 'It was not answered in time.' })
    })
  }
  test('is left at once when delivery ends', async () => {
    const end = new AbortController()
    const outcome = await postTo(() => end.abort(), 600_000, end.signal)
    assert.equal(outcome.kind, 'unavailable')
  })
  test('cannot fill the memory with what it answers', async () => {
    const outcome = await postTo((_, response) => {
      const flood = () => {
        while (!response.destroyed && response.write('x'.repeat(10_000)));
        if (!response.destroyed) response.once('drain', flood)
      }
      response.writeHead(200)
      flood()
    }, 60_000)
    assert.deepEqual(outcome, { kind: 'delivered' })
  })
})
