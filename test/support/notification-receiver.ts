import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  loadPackageDefinition,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServiceClientConstructor,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

/** What an endpoint was sent, as the receiver reads it by proto/notification.proto. */
export interface ReceivedNotification {
  readonly name: string
  readonly eventId: string
  readonly event: string
  readonly repository: string
  readonly documentId: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into JSON freely
  readonly json: any
  readonly fullState: boolean
  readonly authority: string
  readonly deadlineMilliseconds: number
  readonly traceparent: string | undefined
}

export interface NotificationReceiver {
  readonly port: number
  readonly received: ReceivedNotification[]
  stop(): Promise<void>
}

export interface ReceiverBehaviour {
  /** Anything but 0 refuses it. */
  status?(notification: ReceivedNotification, count: number): number | Promise<number>
  readonly port?: number
  readonly isSecure?: boolean
}

const root = join(import.meta.dirname, '../..')
const certificate = (name: string) => readFileSync(join(root, 'test/support/tls', name))
export const certificateAuthority = join(root, 'test/support/tls/ca.pem')

interface WireRequest {
  readonly json: Uint8Array
  readonly [field: string]: unknown
}

/** A real gRPC server that keeps what it is sent. */
export async function startNotificationReceiver(behaviour: ReceiverBehaviour = {}): Promise<NotificationReceiver> {
  const { status = () => 0, port = 0, isSecure = false } = behaviour
  const received: ReceivedNotification[] = []
  const definition = loadSync(join(root, 'proto/notification.proto'), { longs: Number, defaults: true })
  const { service } = definitionOf(definition)
  const server = new Server()
  server.addService(service, {
    async Notify(call: ServerUnaryCall<WireRequest, object>, answer: sendUnaryData<object>) {
      const { json, ...fields } = call.request
      const deadline = call.getDeadline()
      const notification = {
        ...(fields as unknown as Omit<ReceivedNotification, 'json'>),
        json: JSON.parse(Buffer.from(json).toString()),
        authority: call.getHost(),
        deadlineMilliseconds: Number(deadline) - Date.now(),
        traceparent: call.metadata.get('traceparent')[0]?.toString(),
      }
      received.push(notification)
      const code = await status(notification, received.length)
      if (code === 0) answer(null, {})
      else answer({ code, details: `as told: ${code}` })
    },
  })
  const credentials = isSecure
    ? ServerCredentials.createSsl(null, [{ private_key: certificate('localhost.key'), cert_chain: certificate('localhost.pem') }])
    : ServerCredentials.createInsecure()
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentials, (error, number) => (error ? reject(error) : resolve(number)))
  })
  return {
    port: bound,
    received,
    async stop() {
      server.forceShutdown()
    },
  }
}

function definitionOf(definition: ReturnType<typeof loadSync>): ServiceClientConstructor {
  const { platform } = loadPackageDefinition(definition) as unknown as {
    platform: { notification: { v1: { NotificationReceiver: ServiceClientConstructor } } }
  }
  return platform.notification.v1.NotificationReceiver
}

/** Waits until it is so. */
export async function eventually(isSo: () => boolean | Promise<boolean>, what: string, seconds = 60): Promise<void> {
  for (const giveUpAt = performance.now() + seconds * 1_000; !(await isSo()); await pause(20)) {
    if (performance.now() > giveUpAt) throw new Error(`After ${seconds} s still not so: ${what}`)
  }
}
