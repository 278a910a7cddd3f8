import { createHmac } from 'node:crypto'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { offTracer, type Tracer } from '../../base/tracing.ts'
import type { AttemptLimits, DeliveryMessage, DeliveryOutcome, NetworkRules } from '../outbox/index.ts'
import { portOf, type Webhook } from './webhook.ts'

export interface WebhookTransport {
  post(message: DeliveryMessage, limits: AttemptLimits): Promise<DeliveryOutcome>
  close(): void
}

/** Statuses after which it is worth to try again; of the others all but those of success tell that it is not wanted. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429])
// Nobody looks at what is answered.
const longestAnswer = 65_536

/**
 * Posts events, each signed with the moment at which it is sent, in the form of standardwebhooks.com: a receiver refuses what is older
 * than a few minutes and what it has seen by its id. Redirects are not followed: they could lead anywhere.
 */
export function createWebhookTransport(
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  rules: NetworkRules,
  tracer: Tracer = offTracer,
): WebhookTransport {
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  const options = { keepAlive: true, maxSockets: 1 }
  // Loaded by servers with webhooks alone.
  const { Agent, request: begin } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http')
  const agent = new Agent(options)
  return {
    async post(message, limits) {
      if (!isSecure && !rules.isInsecure(target.hostname, portOf(target)))
        return { kind: 'refused', error: `${target.host} is not named in notificationDeliveryInsecureHosts.` }
      const checked = await rules.checkAddress(target.hostname)
      if (checked.kind === 'denied') return { kind: 'refused', error: checked.error }
      if (checked.kind === 'unknown') return { kind: 'unavailable', error: checked.error }
      const name = target.hostname.replace(/^\[|\]$/g, '')
      const authorities = isSecure ? await rules.readAuthorities() : undefined
      const body = Buffer.from(message.json)
      const signal = AbortSignal.any([limits.signal, AbortSignal.timeout(limits.milliseconds)])
      const request = begin({
        agent,
        method: 'POST',
        host: checked.address,
        family: checked.family,
        port: portOf(target),
        path: `${target.pathname}${target.search}`,
        // Who answers at the address has to show that it is the host.
        ...(isSecure && isIP(name) === 0 && { servername: name }),
        ...(authorities !== undefined && { ca: [...authorities] }),
        headers: { host: target.host, ...headersFor(message, body, secret), ...tracer.current() },
        signal,
      })
      return outcomeOf(request, body, signal)
    },
    close: () => agent.destroy(),
  }
}

function headersFor({ id }: DeliveryMessage, body: Buffer, secret: string): { readonly [name: string]: string } {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': 'Quire',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature(secret, id, timestamp, body),
  }
}

export function signature(secret: string, id: string, timestamp: string, body: Buffer): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
}

async function outcomeOf(request: ClientRequest, body: Buffer, signal: AbortSignal): Promise<DeliveryOutcome> {
  const answered = Promise.withResolvers<IncomingMessage>()
  request.on('response', answered.resolve)
  request.on('error', answered.reject)
  request.end(body)
  try {
    const response = await answered.promise
    await discarded(response)
    return outcomeOfStatus(response.statusCode ?? 0)
  } catch (error) {
    // What an answer that breaks off is told as depends on how far it came.
    const reason = signal.aborted ? 'It was not answered in time.' : `${error instanceof Error ? error.message : error}`
    return { kind: 'unavailable', error: reason }
  }
}

function outcomeOfStatus(status: number): DeliveryOutcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' }
  const isRedirect = status >= 300 && status < 400
  const error = `Status ${status}${isRedirect ? ': redirects are not followed, change the url' : ''}`
  return { kind: status >= 500 || transientStatuses.has(status) ? 'unavailable' : 'refused', error }
}

/** Reads to the end, so that the connection can be used again, but not what has none. */
async function discarded(response: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length
    if (bytes > longestAnswer) break
  }
}
