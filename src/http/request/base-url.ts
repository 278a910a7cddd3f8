import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import { type ParsedPath, parsePlainPath, parseUrlPath } from '../../rest/request/url-path.ts'
import type { HttpSettings } from '../http-settings.ts'
import { vendorHeader } from './request-headers.ts'
import { createTrustedProxies } from './trusted-proxies.ts'

/** Which part of the server a path belongs to. */
export type Location =
  /** Below `/api/v1` or an alias of it. */
  | { readonly kind: 'api'; readonly rawPath: string; readonly path: ParsedPath; readonly repository: string | undefined }
  /** Below the context root. Some of it needs credentials whether or not something is there. */
  | { readonly kind: 'server'; readonly rawPath: string; readonly path: ParsedPath; readonly isProtected: boolean }
  | { readonly kind: 'outside' }

/** Of an alias that stands for a part of the API, that part is kept. */
const apiRoots = [
  { prefix: '/api/v1', kept: 0 },
  { prefix: '/site/api/v1', kept: 0 },
  { prefix: '/site/automation', kept: '/automation'.length },
]
const protectedPrefixes = [
  '/api',
  '/site',
  '/json/cmis',
  '/authentication',
  '/oauth2/authorize',
  '/oauth2/authorize_submit',
  '/oauth2Grant.jsp',
  '/oauthGrant.jsp',
  '/acquire_token.jsp',
  '/startup',
  '/login',
  '/logout',
  '/nxfile',
  '/nxbigfile',
  '/nxbigblob',
  '/nxbigzipfile',
  '/nxblobstatus',
  '/nxdownloadinfo',
]

/** Finds the part of the server by the path as sent. @throws undecodablePath */
export function locate(basePath: string, path: string): Location {
  if (!isBelow(path, basePath)) return { kind: 'outside' }
  const inner = path.slice(basePath.length)
  for (const { prefix, kept } of apiRoots) {
    if (isBelow(inner, prefix)) return locateInApi(inner.slice(prefix.length - kept))
  }
  const isProtected = protectedPrefixes.some((prefix) => isBelow(inner, prefix))
  return { kind: 'server', rawPath: inner, path: parsePlainPath(inner), isProtected }
}

function locateInApi(rawPath: string): Location {
  const path = parseUrlPath(rawPath)
  const { segments, adapters } = path
  const repository = segments[0]?.text === 'repo' ? segments[1]?.text : undefined
  if (repository === undefined) return { kind: 'api', rawPath, path, repository }
  return { kind: 'api', rawPath, path: { segments: segments.slice(2), adapters }, repository }
}

function isBelow(path: string, prefix: string): boolean {
  if (!path.startsWith(prefix)) return false
  return path.length === prefix.length || prefix === '' || path[prefix.length] === '/'
}

/** What a request tells about the address it was sent to. */
export interface Addressed {
  readonly headers: IncomingHttpHeaders
  readonly isEncrypted: boolean
  /** `host:port` of the socket, for a request without a Host header. */
  readonly localAddress: string
  /** The peer: the client, or the last proxy before us. */
  readonly remoteAddress: string | undefined
}

/** The one place that says how the world reaches this server (contract: security 9.6). */
export interface BaseUrls {
  /** `https://dms.example.com/`: without the context root, ending with a slash. */
  serverUrl(request: Addressed): string
  /** `https://dms.example.com/context/`: what every link starts with. */
  baseUrl(request: Addressed): string
  /** The context root: empty, or with a leading and without a trailing slash. */
  readonly basePath: string
  /** Where the request came from: the last address that is not a trusted proxy's. */
  clientAddress(request: Addressed): string
  isFromTrustedProxy(request: Addressed): boolean
  /** Whether it came over TLS, here or, as a trusted proxy says, there. */
  cameEncrypted(request: Addressed): boolean
  /** All hosts that the request names as ours, `host:port` each. */
  namedHosts(request: Addressed): readonly string[]
}

export function createBaseUrls(
  settings: Pick<HttpSettings, 'basePath' | 'virtualHost' | 'trustedProxies'>,
  vendored: VendorIdentifiers,
): BaseUrls {
  const virtualHost = vendorHeader('platform-virtual-host', vendored)
  const steering = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port']
  const isTrusted = createTrustedProxies(settings.trustedProxies)
  const context = settings.basePath === '' ? '' : `${settings.basePath.slice(1)}/`

  // Clients reach a server under a few addresses, and each answer with a link would put the same one together again.
  const known = new Map<string, string>()

  function serverUrl(request: Addressed): string {
    const { host } = request.headers
    if (host === undefined || isForwarded(request)) return findUrl(request)
    const key = request.isEncrypted ? `https ${host}` : host
    let url = known.get(key)
    if (url === undefined) {
      url = findUrl(request)
      if (known.size < maxAddresses) known.set(key, url)
    }
    return url
  }

  /** Whether headers say how the client reached the server, and are believed. */
  function isForwarded({ headers, remoteAddress }: Addressed): boolean {
    const steers = steering.some((name) => name in headers) || virtualHost.isIn(headers)
    return steers && isTrusted(remoteAddress)
  }

  function findUrl(request: Addressed): string {
    const isBelieved = isForwarded(request)
    const found = (isBelieved ? findVirtualHost(request.headers) : undefined) ?? settings.virtualHost
    if (found !== undefined) return found.endsWith('/') ? found : `${found}/`
    return isBelieved ? forwardedUrl(request) : directUrl(request)
  }

  function findVirtualHost(headers: IncomingHttpHeaders): string | undefined {
    const url = virtualHost.find(headers)
    return url?.includes('http') ? url : undefined
  }

  function namedHosts(request: Addressed): readonly string[] {
    const { host = request.localAddress } = request.headers
    if (!isForwarded(request)) return [host]
    const url = findVirtualHost(request.headers)
    const forwarded = firstOf(request.headers['x-forwarded-host'])
    return [host, ...(url === undefined ? [] : [hostIn(url)]), ...(forwarded === undefined ? [] : [forwarded])]
  }

  /** Each proxy adds who called it; what stands before the first that is not trusted, anybody may have written. */
  function clientAddress({ headers, remoteAddress = '' }: Addressed): string {
    if (headers['x-forwarded-for'] === undefined || !isTrusted(remoteAddress)) return remoteAddress
    const forwarded = String(headers['x-forwarded-for']).split(',')
    let client = remoteAddress
    for (let at = forwarded.length - 1; at >= 0; at -= 1) {
      const address = (forwarded[at] ?? '').trim()
      if (isIP(address) === 0) return client
      client = address
      if (!isTrusted(address)) return client
    }
    return client
  }

  return {
    serverUrl,
    namedHosts,
    clientAddress,
    isFromTrustedProxy: ({ remoteAddress }) => isTrusted(remoteAddress),
    cameEncrypted: (request) =>
      request.isEncrypted ||
      (isForwarded(request) && (findVirtualHost(request.headers) ?? forwardedUrl(request)).startsWith('https:')),
    basePath: settings.basePath,
    baseUrl: (request) => (context === '' ? serverUrl(request) : `${serverUrl(request)}${context}`),
  }
}

const maxAddresses = 100

/** Of what is no URL after all, all of it: no host is called so. */
function hostIn(url: string): string {
  return URL.parse(url)?.host ?? url
}

function directUrl(request: Addressed): string {
  return formatUrl(request.isEncrypted ? 'https' : 'http', requestedHost(request))
}

function forwardedUrl(request: Addressed): string {
  const { headers } = request
  const forwardedScheme = firstOf(headers['x-forwarded-proto'])
  const scheme =
    forwardedScheme === 'http' || forwardedScheme === 'https' ? forwardedScheme : request.isEncrypted ? 'https' : 'http'
  const forwardedHost = firstOf(headers['x-forwarded-host'])
  if (forwardedHost !== undefined && hostShape.test(forwardedHost)) return formatUrl(scheme, forwardedHost)
  const forwardedPort = firstOf(headers['x-forwarded-port'])
  const host = requestedHost(request)
  const hasPort = forwardedPort !== undefined && /^\d{1,5}$/.test(forwardedPort)
  return formatUrl(scheme, hasPort ? `${host.replace(portOfHost, '')}:${forwardedPort}` : host)
}

// Whatever else stands in a Host header must not get into links.
const hostShape = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/
const portOfHost = /:\d+$/

function requestedHost(request: Addressed): string {
  const { host } = request.headers
  return host !== undefined && hostShape.test(host) ? host : request.localAddress
}

/** The host that a request was sent to, with another port. */
export function hostWithPort(request: Addressed, port: number): string {
  return `${requestedHost(request).replace(portOfHost, '')}${port === 443 ? '' : `:${port}`}`
}

function formatUrl(scheme: 'http' | 'https', host: string): string {
  const defaultPort = scheme === 'https' ? ':443' : ':80'
  return `${scheme}://${host.endsWith(defaultPort) ? host.slice(0, -defaultPort.length) : host}/`
}

/** Proxies in a row each add theirs; the first is the one the client used. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header
  return text?.split(',', 1)[0]?.trim()
}
