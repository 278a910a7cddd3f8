import type { Log } from '../base/log.ts'
import { defineProblem } from '../base/problem.ts'
import { type Answer, noContent } from '../rest/answer.ts'
import { parseFormBytes } from '../rest/url-encoded-form.ts'
import type { Call } from './call.ts'
import { type CorsPolicy, createCorsPolicies, decideCors } from './cors.ts'
import type { HttpSettings } from './http-settings.ts'
import type { IncomingRequest } from './incoming-request.ts'
import { parseOrigin } from './origin.ts'
import { isBrowserExtension, isFromFriendlyOrigin, isSafeMethod, parseSource, type RequestSource } from './origin-check.ts'
import { hasBody, mediaType, readBytes } from './request-bytes.ts'
import { createSessionCookies, isSameText, type SessionTicket } from './session-cookie.ts'

export const foreignOrigin = defineProblem('foreignOrigin', 'forbidden', (_: object) => 'CSRF check failure')
export const invalidCsrfToken = defineProblem('invalidCsrfToken', 'forbidden', (_: object) => 'CSRF check failure')

const tokenHeader = 'CSRF-Token'
const maxFormBytes = 2 * 1024 * 1024

/**
 * Stands before everything else, authentication included: the CSRF token, then the origin, then CORS (spec: security 8, 9.2).
 * Gives an answer when the request ends here.
 */
export interface RequestProtection {
  /** False for the usual request, which comes from a program or from nowhere: there is nothing to check then. */
  concerns(request: IncomingRequest): boolean
  check(call: Call): Promise<Answer | undefined>
}

export function createRequestProtection(settings: HttpSettings, sessionSecret: string, log: Log): RequestProtection {
  const sessions = createSessionCookies(settings, sessionSecret)
  const policies = createCorsPolicies(settings.cors.configurations)
  const { allowNullOrigin } = settings.cors
  const skipped = new Set(settings.csrf.skip)
  const rootPaths = new Set([settings.basePath, `${settings.basePath}/`])
  const formLimits = { maxBytes: maxFormBytes, stallSeconds: settings.bodyStallSeconds }

  function concerns({ headers }: IncomingRequest): boolean {
    return settings.csrf.enabled || policies.length > 0 || headers.origin !== undefined || headers.referer !== undefined
  }

  async function check(call: Call): Promise<Answer | undefined> {
    const { request } = call
    if (settings.csrf.enabled) {
      if (isTokenFetch(request)) return giveToken(call)
      if (!isSafeMethod(request.method) && !isSkipped(request)) await requireToken(call)
    }
    const { origin, referer } = request.headers
    const policy = policies.find((one) => one.covers(request.path))
    const source = parseSource(origin, referer, allowNullOrigin)
    requireFriendlyOrigin(request, source, policy)
    return policy && answerByCors(call, policy, source)
  }

  function isTokenFetch({ method, path, headers }: IncomingRequest): boolean {
    return method === 'GET' && rootPaths.has(path) && headers['csrf-token'] === 'fetch'
  }

  function giveToken(call: Call): Answer {
    const now = nowSeconds()
    const known = sessions.find(call.request.headers.cookie, now)
    const ticket = known ?? sessions.create(now)
    if (known === undefined) call.addHeader('Set-Cookie', sessions.format(ticket, isSecure(call.request)))
    else renewWhenAgeing(call, ticket)
    call.addHeader(tokenHeader, sessions.csrfToken(ticket))
    return noContent(200)
  }

  function isSkipped({ path }: IncomingRequest): boolean {
    return skipped.has(path.slice(settings.basePath.length))
  }

  async function requireToken(call: Call): Promise<void> {
    const ticket = sessions.find(call.request.headers.cookie, nowSeconds())
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

  return { concerns, check }
}

function isSecure(request: IncomingRequest): boolean {
  return request.serverUrl.startsWith('https:')
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
