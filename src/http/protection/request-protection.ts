import { memoisedByText } from '../../base/cache/memo.ts'
import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { isSameText } from '../../base/same-text.ts'
import { type Answer, noContent } from '../../rest/answer.ts'
import type { SessionKeeper } from '../../rest/authenticator.ts'
import { parseFormBytes } from '../../rest/request/url-encoded-form.ts'
import { sessionCookieName } from '../../rest/session-settings.ts'
import { isLoopback } from '../../settings/administrator-password.ts'
import type { Call } from '../answer/http-exchange.ts'
import type { HttpSettings } from '../http-settings.ts'
import type { Addressed, BaseUrls } from '../request/base-url.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { hasBody, mediaType, readBytes } from '../request/request-body.ts'
import { type CorsPolicy, createCorsPolicies, decideCors } from './cors.ts'
import { isSameOrigin, parseOrigin, type UrlOrigin } from './origin.ts'
import { createSessionCookies, type SessionTicket } from './session-cookie.ts'

const hostNotServed = defineProblem(
  'hostNotServed',
  'misdirected',
  (of: { host: string }) =>
    `This server does not answer to the host name ${of.host.slice(0, 100).toWellFormed()}. ` +
    'Name it with --allowed-hosts, or change the password of Administrator if that is still the default one.',
)

/** Undefined when the request may go on at once. @throws hostNotServed */
type HostCheck = (request: Addressed) => Promise<void> | undefined

/**
 * Which names the server goes by. A page in a user's browser may be given a name that leads to this machine (DNS rebinding), and
 * would then act with the default password: as long as the administrator has that one, only names that lead nowhere
 * else are answered, and those that the deployment gave.
 */
export function createHostCheck(
  allowedHosts: readonly string[],
  baseUrls: Pick<BaseUrls, 'namedHosts'>,
  hasDefaultPassword: () => boolean | Promise<boolean>,
): HostCheck {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))

  // Clients name a server by few names; nothing invalidates what follows from one.
  const isAlwaysServed = memoisedByText(
    (host) => {
      const name = nameOf(host)
      return (
        isLoopback(name) || allowed.has(name) || [...allowed].some((one) => one.startsWith('*.') && name.endsWith(one.slice(1)))
      )
    },
    { maxEntries: 100 },
  )

  async function requireOwnPassword(host: string, isDefault: Promise<boolean>): Promise<void> {
    if (await isDefault) throw hostNotServed({ host })
  }

  return (request) => {
    const host = baseUrls.namedHosts(request).find((one) => !isAlwaysServed(one))
    if (host === undefined) return undefined
    if (allowed.size > 0) throw hostNotServed({ host })
    const isDefault = hasDefaultPassword()
    if (isDefault instanceof Promise) return requireOwnPassword(host, isDefault)
    if (isDefault) throw hostNotServed({ host })
    return undefined
  }
}

/** Without port, brackets and the dot that may end it. */
function nameOf(host: string): string {
  const [, address] = /^\[([^\]]*)\](?::\d*)?$/.exec(host) ?? []
  return address ?? host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase()
}

/** Where a request comes from, as its `Origin` or else its `Referer` tells. */
type RequestSource =
  | { readonly kind: 'unknown' }
  /** `Origin: null`: the browser hides it, so nothing is like it. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'known'; readonly origin: UrlOrigin }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const extensionSchemes = new Set(['moz-extension', 'chrome-extension'])

export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method)
}

export function parseSource(origin: string | undefined, referer: string | undefined, allowNullOrigin: boolean): RequestSource {
  const text = origin?.trim() || referer?.trim() || ''
  if (text === 'null') return { kind: allowNullOrigin ? 'unknown' : 'hidden' }
  const [first = ''] = text.split(' ', 1)
  const parsed = parseOrigin(first)
  return parsed === undefined ? { kind: 'unknown' } : { kind: 'known', origin: parsed }
}

function isBrowserExtension(source: RequestSource): boolean {
  return source.kind === 'known' && extensionSchemes.has(source.origin.scheme)
}

/** The table of security 8.2: whether a request may have been meant by the person whose browser sends it. */
export function isFromFriendlyOrigin(
  method: string,
  source: RequestSource,
  target: UrlOrigin | undefined,
  cors: CorsPolicy | undefined,
): boolean {
  if (isSafeMethod(method)) return true
  if (source.kind === 'unknown' || target === undefined) return true
  if (isBrowserExtension(source)) return true
  if (source.kind === 'known' && isSameOrigin(source.origin, target)) return true
  return source.kind === 'known' && cors !== undefined && cors.allowsOrigin(source.origin) && cors.supportsMethod(method)
}

const foreignOrigin = defineProblem('foreignOrigin', 'forbidden', (_: object) => 'CSRF check failure')
export const invalidCsrfToken = defineProblem('invalidCsrfToken', 'forbidden', (_: object) => 'CSRF check failure')

const tokenHeader = 'CSRF-Token'
const maxFormBytes = 2 * 1024 * 1024

/**
 * Stands before everything else, authentication included: the CSRF token, then the origin, then CORS (contract: security 8, 9.2).
 * Gives an answer when the request ends here.
 */
interface RequestProtection {
  /** False for the usual request, which comes from a program or from nowhere: there is nothing to check then. */
  concerns(request: IncomingRequest): boolean
  check(call: Call): Promise<Answer | undefined>
  /** The token that a form has to send along; undefined where none is asked for. */
  issueToken(call: Call): Promise<string | undefined>
}

export function createRequestProtection(
  settings: HttpSettings,
  sessionSecret: string,
  keeper: SessionKeeper | undefined,
  log: Log,
): RequestProtection {
  const sessions = createSessionCookies(settings, sessionSecret)
  const policies = createCorsPolicies(settings.cors.configurations)
  const { allowNullOrigin } = settings.cors
  const skipped = new Set(settings.csrf.skip)
  const rootPaths = new Set([settings.basePath, `${settings.basePath}/`])
  const formLimits = { maxBytes: maxFormBytes, stallSeconds: settings.bodyStallSeconds }

  function concerns({ headers }: IncomingRequest): boolean {
    if (settings.csrf.enabled || policies.length > 0 || headers.origin !== undefined || headers.referer !== undefined) return true
    return headers['sec-fetch-site'] === 'cross-site'
  }

  async function check(call: Call): Promise<Answer | undefined> {
    const { request } = call
    if (settings.csrf.enabled) {
      if (isTokenFetch(request)) return giveToken(call)
      if (!isSafeMethod(request.method) && !isSkipped(request)) await requireToken(call)
    }
    const { origin, referer } = request.headers
    const policy = policies.find((one) => one.covers(request.path))
    const told = parseSource(origin, referer, allowNullOrigin)
    // A browser that was asked to keep the referrer to itself still says that the page is another site's.
    const isFromElsewhere = told.kind === 'unknown' && request.headers['sec-fetch-site'] === 'cross-site'
    const source: RequestSource = isFromElsewhere && !allowNullOrigin ? { kind: 'hidden' } : told
    requireFriendlyOrigin(request, source, policy)
    return policy && answerByCors(call, policy, source)
  }

  function isTokenFetch({ method, path, headers }: IncomingRequest): boolean {
    return method === 'GET' && rootPaths.has(path) && headers['csrf-token'] === 'fetch'
  }

  async function giveToken(call: Call): Promise<Answer> {
    call.addHeader(tokenHeader, await makeToken(call))
    return noContent(200)
  }

  async function makeToken(call: Call): Promise<string> {
    const known = await findTicket(call)
    const ticket = known ?? sessions.create(nowSeconds())
    if (known === undefined) call.addHeader('Set-Cookie', sessions.format(ticket, isSecure(call.request)))
    else renewWhenAgeing(call, ticket)
    return sessions.csrfToken(ticket)
  }

  /** A browser that has not signed in has a session of its own; one that has, that of its user, and its token ends with that. */
  async function findTicket({ request }: Call): Promise<SessionTicket | undefined> {
    const now = nowSeconds()
    const ticket = sessions.find(request.headers.cookie, now)
    if (ticket !== undefined || request.headers.cookie === undefined) return ticket
    const secret = request.cookie(sessionCookieName)
    return secret !== undefined && (await keeper?.find(request)) ? { id: secret, issuedAtSeconds: now } : undefined
  }

  function isSkipped({ path }: IncomingRequest): boolean {
    return skipped.has(path.slice(settings.basePath.length))
  }

  async function requireToken(call: Call): Promise<void> {
    const ticket = await findTicket(call)
    const sent = ticket && (await findSentToken(call.request))
    if (ticket === undefined || !sent || !isSameText(sent, sessions.csrfToken(ticket))) {
      log.info({ event: 'csrf.token', requestId: call.id, path: call.request.path }, 'CSRF token missing or invalid')
      throw invalidCsrfToken({})
    }
    renewWhenAgeing(call, ticket)
  }

  async function findSentToken(request: IncomingRequest): Promise<string | undefined> {
    const [header] = [request.headers['csrf-token']].flat()
    const given = header || request.query.get('csrf-token')
    if (given) return given
    if (mediaType(request) !== 'application/x-www-form-urlencoded' || !hasBody(request)) return undefined
    const form = parseFormBytes(await readBytes(request, formLimits))
    return form.get('csrf-token') ?? undefined
  }

  function renewWhenAgeing(call: Call, ticket: SessionTicket): void {
    const now = nowSeconds()
    if (!sessions.isAgeing(ticket, now)) return
    call.addHeader('Set-Cookie', sessions.format({ ...ticket, issuedAtSeconds: now }, isSecure(call.request)))
  }

  function requireFriendlyOrigin(request: IncomingRequest, source: RequestSource, policy: CorsPolicy | undefined): void {
    if (isSafeMethod(request.method)) return
    if (!isFromFriendlyOrigin(request.method, source, parseOrigin(request.serverUrl), policy)) throw foreignOrigin({})
  }

  function answerByCors(call: Call, policy: CorsPolicy, source: RequestSource): Answer | undefined {
    const { method, headers, serverUrl } = call.request
    const decision = decideCors(
      policy,
      {
        method,
        origin: isBrowserExtension(source) ? undefined : headers.origin,
        ownOrigin: parseOrigin(serverUrl),
        requestedMethod: headers['access-control-request-method'],
        requestedHeaders: headers['access-control-request-headers'],
      },
      allowNullOrigin,
    )
    if (decision.kind === 'refuse') {
      const allow = decision.status === 405 ? { headers: { Allow: policy.methods.join(', ') } } : {}
      return { kind: 'text', status: decision.status, contentType: 'text/plain; charset=UTF-8', text: decision.message, ...allow }
    }
    call.headers.push(...decision.headers)
    return decision.kind === 'preflight' ? noContent(200) : undefined
  }

  return { concerns, check, issueToken: async (call) => (settings.csrf.enabled ? makeToken(call) : undefined) }
}

function isSecure(request: IncomingRequest): boolean {
  return request.serverUrl.startsWith('https:')
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
