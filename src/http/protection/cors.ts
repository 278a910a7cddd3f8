import { formatOrigin, isSameOrigin, parseOrigin, type UrlOrigin } from './origin.ts'

/** Who may call from other origins, for the paths of one pattern (contract: security 9.1). */
export interface CorsConfiguration {
  readonly name: string
  readonly enabled?: boolean
  /** Regular expression on the whole path, context root included; all paths when absent. */
  readonly pattern?: string
  /** Origins separated by white space; `*`, the default, is any. */
  readonly allowOrigin?: string
  /** Also any subdomain of a listed origin, with the same scheme and port. */
  readonly allowSubdomains?: boolean
  readonly supportedMethods?: readonly string[]
  /** Request headers; `*` is any. */
  readonly supportedHeaders?: '*' | readonly string[]
  readonly exposedHeaders?: readonly string[]
  readonly supportsCredentials?: boolean
  /** Sent when greater than 0. */
  readonly maxAgeSeconds?: number
  /** False: requests that are not cross-origin are refused. */
  readonly allowGenericHttpRequests?: boolean
}

/** A configuration ready to be asked. */
export interface CorsPolicy {
  readonly configuration: CorsConfiguration
  covers(path: string): boolean
  allowsOrigin(origin: UrlOrigin): boolean
  supportsMethod(method: string): boolean
  supportsHeader(name: string): boolean
  readonly methods: readonly string[]
  readonly isForAnyone: boolean
}

export function createCorsPolicies(configurations: readonly CorsConfiguration[]): readonly CorsPolicy[] {
  return configurations.filter(({ enabled = true }) => enabled).map(createCorsPolicy)
}

function createCorsPolicy(configuration: CorsConfiguration): CorsPolicy {
  const { pattern, allowOrigin = '*', allowSubdomains = false, supportedHeaders = '*' } = configuration
  const shape = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`)
  const isForAnyone = allowOrigin.trim() === '*'
  const origins = allowOrigin.split(/[\s,]+/).flatMap((text) => parseOrigin(text) ?? [])
  const methods = configuration.supportedMethods ?? ['GET', 'POST', 'HEAD', 'OPTIONS']
  const headers = supportedHeaders === '*' ? undefined : new Set(supportedHeaders.map((name) => name.toLowerCase()))
  return {
    configuration,
    covers: (path) => shape?.test(path) ?? true,
    allowsOrigin: (origin) =>
      isForAnyone || origins.some((one) => isSameOrigin(one, origin) || (allowSubdomains && isSubdomain(origin, one))),
    supportsMethod: (method) => methods.includes(method),
    supportsHeader: (name) => headers?.has(name.toLowerCase()) ?? true,
    methods,
    isForAnyone,
  }
}

function isSubdomain(origin: UrlOrigin, of: UrlOrigin): boolean {
  return origin.scheme === of.scheme && origin.port === of.port && origin.host.endsWith(`.${of.host}`)
}

export interface CorsRequest {
  readonly method: string
  /** As sent; undefined when absent or hidden. */
  readonly origin: string | undefined
  readonly ownOrigin: UrlOrigin | undefined
  readonly requestedMethod: string | undefined
  readonly requestedHeaders: string | undefined
}

export type CorsDecision =
  /** The request goes on; the headers belong to whatever is answered, names and values in turn. */
  | { readonly kind: 'pass'; readonly headers: readonly string[] }
  | { readonly kind: 'preflight'; readonly headers: readonly string[] }
  | { readonly kind: 'refuse'; readonly status: 403 | 405; readonly message: string }

/** Decides about a request on a path that a configuration covers (contract: security 9.2). */
export function decideCors(policy: CorsPolicy, request: CorsRequest, allowNullOrigin: boolean): CorsDecision {
  const { origin, ownOrigin } = request
  const parsed = origin === undefined ? undefined : parseOrigin(origin)
  if (origin === undefined || (parsed !== undefined && ownOrigin !== undefined && isSameOrigin(parsed, ownOrigin))) {
    const isRefused = policy.configuration.allowGenericHttpRequests === false
    return isRefused ? refuse(403, 'Generic HTTP requests not allowed') : { kind: 'pass', headers: varyHeaders(policy) }
  }
  const isAllowed =
    parsed === undefined ? allowNullOrigin && policy.isForAnyone && origin === 'null' : policy.allowsOrigin(parsed)
  if (!isAllowed) return refuse(403, 'CORS origin denied')
  const shownOrigin = parsed === undefined ? origin : formatOrigin(parsed)
  if (request.method === 'OPTIONS' && request.requestedMethod !== undefined) {
    return decidePreflight(policy, shownOrigin, request.requestedMethod, request.requestedHeaders ?? '')
  }
  if (!policy.supportsMethod(request.method)) return refuse(405, 'Unsupported HTTP method')
  const exposed = policy.configuration.exposedHeaders ?? []
  const exposure = exposed.length === 0 ? [] : ['Access-Control-Expose-Headers', exposed.join(', ')]
  return { kind: 'pass', headers: [...originHeaders(policy, shownOrigin), ...exposure] }
}

function decidePreflight(policy: CorsPolicy, origin: string, method: string, headers: string): CorsDecision {
  if (!policy.supportsMethod(method)) return refuse(405, 'Unsupported HTTP method')
  const names = headers
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (!names.every((name) => policy.supportsHeader(name))) return refuse(403, 'Unsupported HTTP request header')
  const { maxAgeSeconds = -1 } = policy.configuration
  return {
    kind: 'preflight',
    headers: [
      ...originHeaders(policy, origin),
      ...(maxAgeSeconds > 0 ? ['Access-Control-Max-Age', String(maxAgeSeconds)] : []),
      'Access-Control-Allow-Methods',
      policy.methods.join(', '),
      ...(names.length > 0 ? ['Access-Control-Allow-Headers', names.join(', ')] : []),
    ],
  }
}

function originHeaders(policy: CorsPolicy, origin: string): readonly string[] {
  if (isSameForAll(policy)) return ['Access-Control-Allow-Origin', '*']
  const credentials = supportsCredentials(policy) ? ['Access-Control-Allow-Credentials', 'true'] : []
  return ['Access-Control-Allow-Origin', origin, ...varyHeaders(policy), ...credentials]
}

/**
 * Also for whoever names no origin: a browser asks for the `<img>` of a page without one, keeps the file for a year, and would hand a
 * script of that page the answer that allows no origin.
 */
function varyHeaders(policy: CorsPolicy): readonly string[] {
  return isSameForAll(policy) ? [] : ['Vary', 'Origin']
}

function isSameForAll(policy: CorsPolicy): boolean {
  return policy.isForAnyone && !supportsCredentials(policy)
}

function supportsCredentials({ configuration }: CorsPolicy): boolean {
  return configuration.supportsCredentials ?? true
}

function refuse(status: 403 | 405, message: string): CorsDecision {
  return { kind: 'refuse', status, message }
}
