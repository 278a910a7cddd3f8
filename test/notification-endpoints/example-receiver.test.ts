import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { createGrpcTransport } from '../../src/features/notification-endpoints/delivery/grpc-transport.ts'
import type { NetworkRules } from '../../src/features/outbox/index.ts'
import { startProgram } from '../support/program.ts'

const receiver = join(import.meta.dirname, '../../examples/notification-receiver/receiver.ts')
const rules: NetworkRules = {
  checkAddress: async (address) => ({ kind: 'allowed', address, family: 4 }),
  isInsecure: () => true,
  readAuthorities: async () => undefined,
}

test('the receiver among the examples takes what it is sent, and prints each event once', async () => {
  const program = await startProgram(receiver, [], { RECEIVER_ADDRESS: '127.0.0.1:0' })
  const [, endpoint = ''] = /on (127\.0\.0\.1:\d+)$/.exec(program.startLine) ?? []
  const transport = createGrpcTransport({ endpoint }, rules)
  const request = {
    name: 'acme',
    eventId: 'one',
    event: 'documentCreated',
    eventTime: '2026-01-01T00:00:00.000Z',
    repository: 'default',
    documentId: 'the document',
    json: '{"eventId":"documentCreated"}',
    fullState: false,
  }
  try {
    const limits = { milliseconds: 60_000, signal: new AbortController().signal }
    for (const eventId of ['one', 'one', 'two'])
      assert.deepEqual(await transport.notify({ ...request, eventId }, limits), { kind: 'delivered' })
  } finally {
    transport.close()
    program.kill('SIGTERM')
  }
  const { printed } = await program.ended
  assert.equal(printed.split('documentCreated the document {"eventId":"documentCreated"}').length, 3, printed)
})
