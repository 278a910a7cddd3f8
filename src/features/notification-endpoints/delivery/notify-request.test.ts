import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadSync } from '@grpc/proto-loader'
import fc from 'fast-check'
import { encodeNotifyRequest } from './notify-request.ts'

const proto = join(import.meta.dirname, '../../../../proto/notification.proto')

interface Received {
  readonly json: Uint8Array
  readonly eventTime: { readonly seconds: number; readonly nanos: number }
}

test('a request is what proto/notification.proto says', () => {
  const service = loadSync(proto, { longs: Number, defaults: true })['platform.notification.v1.NotificationReceiver']
  const { Notify } = service as unknown as { Notify: { requestDeserialize(bytes: Buffer): Received } }
  const word = fc.string({ unit: 'binary', maxLength: 300 }).map((text) => text.toWellFormed())
  const request = fc.record({
    name: word,
    eventId: word,
    event: word,
    eventTime: fc
      .date({ min: new Date('1900-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    repository: word,
    documentId: word,
    json: word,
    fullState: fc.boolean(),
  })
  fc.assert(
    fc.property(request, (sent) => {
      const { json, eventTime, ...received } = Notify.requestDeserialize(encodeNotifyRequest(sent))
      const { seconds, nanos } = eventTime
      assert.equal(new Date(seconds * 1_000 + nanos / 1e6).toISOString(), sent.eventTime)
      assert.equal(Buffer.from(json).toString(), sent.json)
      const { json: _json, eventTime: _time, ...others } = sent
      assert.deepEqual(received, others)
    }),
    { numRuns: 40 },
  )
})
