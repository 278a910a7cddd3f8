// A receiver of notifications: prints what happens on a server. `npx node examples/notification-receiver/receiver.ts`
import { join } from 'node:path'
import { loadPackageDefinition, Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

const address = process.env['RECEIVER_ADDRESS'] ?? '127.0.0.1:50051'
const schema = loadSync(join(import.meta.dirname, '../../proto/notification.proto'), { defaults: true })
const { NotificationReceiver } = (loadPackageDefinition(schema) as never)['platform']['notification']['v1']

interface Notification {
  readonly eventId: string
  readonly event: string
  readonly documentId: string
  readonly json: Uint8Array
  readonly fullState: boolean
}

// An event may come twice. A real receiver remembers ids where it stores what it makes of events, and in the same transaction.
const seen = new Set<string>()

function notify({ request }: ServerUnaryCall<Notification, object>, answer: sendUnaryData<object>): void {
  const { eventId, event, documentId, json, fullState } = request
  if (!seen.has(eventId))
    console.log(fullState ? 'not delivered before:' : `${event} ${documentId}`, Buffer.from(json).toString())
  seen.add(eventId)
  answer(null, {})
}

const server = new Server()
server.addService(NotificationReceiver['service'], { Notify: notify })
server.bindAsync(address, ServerCredentials.createInsecure(), (error, port) => {
  if (error !== null) throw error
  console.log(`Waiting for notifications on ${address.replace(/:0$/, `:${port}`)}`)
})
