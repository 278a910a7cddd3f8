import type { ClientRequest, IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { defineProblem } from '../../base/problem.ts'
import type { NetworkRules } from './network-rules.ts'
import {
  limited,
  type RemoteFile,
  type RemoteLimits,
  remoteRefused,
  remoteUnreachable,
  requireWebAddress,
} from './remote-limits.ts'

export interface ServerCall {
  readonly method: string
  readonly url: URL
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

export interface ServerAnswer extends RemoteFile {
  readonly contentDisposition: string | undefined
}

// One sentence for all of it: whoever chose a part of the address is not to learn what the names of the house lead to.
export const addressNotCalled = defineProblem(
  'addressNotCalled',
  'invalid',
  (of: { origin: string }) =>
    `${of.origin} is not called: it is no address of the public network, or there is none of that name. ` +
    'An administrator can name it in notificationDeliveryAllowedAddresses.',
)

/**
 * Calls another server as webhooks do: one whose address was looked at, at that very address, over TLS unless its host may do
 * without, and no further, wherever the answer leads. The caller reads the answer to its end or destroys it. Of the address no more than
 * its origin is told: the rest may hold a key.
 * @throws remoteRefused, addressNotCalled, remoteUnreachable, remoteFileTooLarge; the last two while the answer is read, too
 */
export async function callServer(
  call: ServerCall,
  rules: NetworkRules,
  { millis, maxBytes, signal, trace }: RemoteLimits,
): Promise<ServerAnswer> {
  const { url } = call
  requireWebAddress(url)
  const signals = AbortSignal.any([AbortSignal.timeout(millis), signal])
  const options = await placeOf(url, rules)
  const answer = await begin(call, { ...options, headers: { ...call.headers, ...trace, host: url.host }, signal: signals })
  requireSuccess(url, answer)
  const { 'content-type': mimeType = null, 'content-disposition': contentDisposition } = answer.headers
  const content = Readable.from(limited(new URL(url.origin), reached(url, answer), maxBytes), { objectMode: false })
  return { content, mimeType, contentDisposition }
}

/** Where to connect to, and who has to answer there. */
async function placeOf(url: URL, rules: NetworkRules): Promise<RequestOptions> {
  const isSecure = url.protocol === 'https:'
  const port = Number(url.port) || (isSecure ? 443 : 80)
  if (!isSecure && !rules.isInsecure(url.hostname, port))
    throw remoteRefused({ url: url.origin, reason: 'is not encrypted, and not named in notificationDeliveryInsecureHosts' })
  const checked = await rules.checkAddress(url.hostname)
  if (checked.kind !== 'allowed') throw addressNotCalled({ origin: url.origin }, { cause: new Error(checked.error) })
  const { address: host, family } = checked
  if (!isSecure) return { host, family, port }
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const authorities = await rules.readAuthorities()
  return {
    ...{ host, family, port },
    ...(isIP(name) === 0 && { servername: name }),
    ...(authorities !== undefined && { ca: [...authorities] }),
  }
}

async function begin({ method, url, body }: ServerCall, options: RequestOptions): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  try {
    const outgoing: ClientRequest = request({ ...options, agent: false, method, path: `${url.pathname}${url.search}` })
    outgoing.on('response', resolve).on('error', reject).end(body)
    return await promise
  } catch (error) {
    throw remoteUnreachable({ url: url.origin }, { cause: error })
  }
}

function requireSuccess({ origin: url }: URL, answer: IncomingMessage): void {
  const { statusCode: status = 0 } = answer
  if (status >= 200 && status < 300) return
  answer.destroy()
  const isRedirection = status >= 300 && status < 400
  throw remoteRefused({ url, reason: `was answered with status ${status}${isRedirection ? ', and nobody is led on' : ''}` })
}

async function* reached({ origin: url }: URL, answer: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* answer
  } catch (error) {
    throw remoteUnreachable({ url }, { cause: error })
  }
}
