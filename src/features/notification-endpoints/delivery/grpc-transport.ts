import { isIP } from 'node:net'
import type { ChannelCredentials, ChannelOptions, Client, ServiceError, status } from '@grpc/grpc-js'
import { offTracer, type Tracer } from '../../../base/tracing.ts'
import type { AttemptLimits, DeliveryOutcome, NetworkRules } from '../../outbox/index.ts'
import type { GrpcSettings } from '../grpc-settings.ts'
import { encodeNotifyRequest, type NotifyRequest, notifyPath } from './notify-request.ts'

export interface GrpcTransport {
  notify(request: NotifyRequest, limits: AttemptLimits): Promise<DeliveryOutcome>
  close(): void
}

/** Where an endpoint is, of what was checked when it was added. */
export function endpointAddress(endpoint: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = '443'] = /^(?:dns:\/\/\/)?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(endpoint) ?? []
  return { host, port: Number(port) }
}

// A name may come to have another address: after so long it is asked for anew.
const longestMilliseconds = 300_000
/** By number; the library has them by name, and is not loaded for that. */
const transientCodes: ReadonlySet<status> = new Set([4, 8, 10, 14])

/** Calls a receiver, over one connection for as long as that is well. */
export function createGrpcTransport(
  settings: Pick<GrpcSettings, 'endpoint' | 'authority'>,
  rules: NetworkRules,
  tracer: Tracer = offTracer,
): GrpcTransport {
  let open: { readonly client: Client; readonly until: number } | undefined
  const close = () => {
    open?.client.close()
    open = undefined
  }
  async function connect(): Promise<Client | DeliveryOutcome> {
    if (open !== undefined && performance.now() < open.until) return open.client
    close()
    const { host, port } = endpointAddress(settings.endpoint)
    const checked = await rules.checkAddress(host)
    if (checked.kind === 'denied') return { kind: 'refused', error: checked.error }
    if (checked.kind === 'unknown') return { kind: 'unavailable', error: checked.error }
    const { Client, credentials } = await import('@grpc/grpc-js')
    const secret: ChannelCredentials = rules.isInsecure(host, port)
      ? credentials.createInsecure()
      : credentials.createSsl(certificatesOf(await rules.readAuthorities()))
    const address = checked.family === 6 ? `ipv6:[${checked.address}]:${port}` : `ipv4:${checked.address}:${port}`
    open = {
      client: new Client(address, secret, channelOptions(settings, host)),
      until: performance.now() + longestMilliseconds,
    }
    return open.client
  }
  return {
    async notify(request, limits) {
      const client = await connect()
      if ('kind' in client) return client
      const outcome = await call(client, request, limits, { ...tracer.current() })
      // The library waits before it connects again, and longer each time; how long is waited is for our rules to say.
      if (outcome.kind === 'unavailable') close()
      return outcome
    },
    close,
  }
}

function certificatesOf(authorities: readonly string[] | undefined): Buffer | null {
  return authorities === undefined ? null : Buffer.from(authorities.join('\n'))
}

function channelOptions({ endpoint, authority }: Pick<GrpcSettings, 'endpoint' | 'authority'>, host: string): ChannelOptions {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return {
    'grpc.default_authority': authority ?? endpoint.replace(/^dns:\/\/\//, ''),
    // The connection goes to an address; who answers there has to show that it is the host.
    ...(isIP(name) === 0 && { 'grpc.ssl_target_name_override': name }),
    // A proxy of the environment would resolve names again.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.enable_retries': 0,
    'grpc.use_local_subchannel_pool': 1,
    // The answer is empty.
    'grpc.max_receive_message_length': 65_536,
  }
}

async function call(
  client: Client,
  request: NotifyRequest,
  { milliseconds, signal }: AttemptLimits,
  headers: { readonly [name: string]: string },
): Promise<DeliveryOutcome> {
  const { Metadata } = await import('@grpc/grpc-js')
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
  const answered = Promise.withResolvers<DeliveryOutcome>()
  const encoded = encodeNotifyRequest(request)
  const options = { deadline: Date.now() + milliseconds }
  const underWay = client.makeUnaryRequest(notifyPath, asIs, ignored, encoded, metadata, options, (error) => {
    answered.resolve(error === null ? { kind: 'delivered' } : outcomeOf(error))
  })
  const cancel = () => underWay.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await answered.promise
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const asIs = (bytes: Buffer) => bytes
const ignored = () => undefined

function outcomeOf({ code, details }: ServiceError): DeliveryOutcome {
  return { kind: transientCodes.has(code) ? 'unavailable' : 'refused', error: `Status ${code}: ${details || 'no reason given'}` }
}
