import { networkOf } from '../../base/address-range.ts'
import { createCache } from '../../base/cache/bounded-cache.ts'
import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import { announceSignIn, isListenedTo, type SignInEvent } from '../../core/principals/sign-in-events.ts'
import type { Repository } from '../../core/session.ts'
import { createPrincipal, type Principal, systemUser } from '../../model/rights/principal.ts'
import {
  type AuthenticationChain,
  type AuthenticationParts,
  type Authenticator,
  credentialsUncheckable,
  defaultChain,
  type Identity,
  type KeptIdentity,
  notAuthenticated,
  type SignInFailure,
  tooManyAttempts,
} from '../../rest/authenticator.ts'
import type { Services } from '../../rest/services.ts'
import { findNearestName } from '../../settings/nearest-name.ts'
import { suggesting } from '../../settings/problems.ts'
import { databaseUnreachable } from '../../store/problems.ts'
import type { Call } from '../answer/http-exchange.ts'
import type { OpenUrl } from '../http-settings.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

const unknownAuthenticator = defineProblem(
  'unknownAuthenticator',
  'invalid',
  (of: { setting: string; name: string; nearest: string | undefined }) =>
    `${of.setting} names ${of.name}, which is no authenticator${suggesting(of.nearest)}`,
)

/** The principal of requests that need no credentials. */
export const guest: Principal = createPrincipal('Guest', [], { isAdministrator: false, isAnonymous: true })

export interface Authentication {
  /** Whether a path is answered without looking at credentials, even if some are sent. */
  isOpen(request: IncomingRequest): boolean
  /**
   * Told at once where it can be. Where a page is shown instead of what was asked for, that is left as the ending of the call.
   * @throws notAuthenticated, credentialsUncheckable, tooManyAttempts
   */
  authenticate(call: Call): Principal | Promise<Principal>
  /** Who sent the call that was admitted before, as of now; undefined when it would not be admitted again. */
  renew(call: Call): Promise<Principal | undefined>
}

type AuthenticationServices = Pick<Services, 'authentication' | 'principals' | 'facts'>

/** The algorithm of security 2.1: a session, then the chain of the path, then the prompt. */
export function createAuthentication(
  openUrls: readonly OpenUrl[],
  { authentication, principals, facts }: AuthenticationServices,
  home: Repository,
  log: Log,
): Authentication {
  const { sessions, admissionRules } = authentication
  const mayEnter = (principal: Principal) => admissionRules.length === 0 || admissionRules.every((rule) => rule.admits(principal))
  const selectChain = createChainSelection(authentication)
  const isOpen = createOpenUrlTest(openUrls)
  const announce = createAnnouncements(home, facts, log)

  function authenticate(call: Call): Principal | Promise<Principal> {
    const { request } = call
    const chain = selectChain(request)
    if (sessions === undefined || request.headers.cookie === undefined || isSignIn(chain, request))
      return identify(call, chain, 0)
    const kept = sessions.find(request)
    if (kept instanceof Promise) return kept.then((found) => admitKept(call, chain, found), uncheckable)
    return admitKept(call, chain, kept)
  }

  function admitKept(call: Call, chain: Chain, kept: KeptIdentity | undefined): Principal | Promise<Principal> {
    if (kept === undefined || !mayEnter(kept.principal) || (call.needsAccount && kept.principal.isAnonymous))
      return identify(call, chain, 0)
    setCookies(call, kept.cookies)
    call.user = kept.principal.name
    return kept.principal
  }

  /** The first that recognises credentials decides: after a wrong password no other authenticator is asked. */
  function identify(call: Call, chain: Chain, index: number): Principal | Promise<Principal> {
    const authenticator = chain.authenticators[index]
    if (authenticator === undefined) return refuse(call, chain, { kind: 'missing' })
    const identity = authenticator.identify(call.request, principals)
    if (!(identity instanceof Promise)) return judge(call, chain, index, identity)
    return identity.then(
      (one) => judge(call, chain, index, one),
      (error: unknown) =>
        databaseUnreachable.is(error) ? refuse(call, chain, { kind: 'uncheckable' }, error) : Promise.reject(error),
    )
  }

  function judge(call: Call, chain: Chain, index: number, identity: Identity): Principal | Promise<Principal> {
    const authenticator = chain.authenticators[index]
    if (identity.kind === 'none' || authenticator === undefined || isNobody(call, authenticator, identity))
      return identify(call, chain, index + 1)
    if (identity.kind === 'known') {
      const { principal } = identity
      // No client may log in as the server's own user, whatever an authenticator says.
      if (principal.name !== systemUser && mayEnter(principal)) return admit(call, authenticator, identity)
      return fail(call, chain, authenticator, { kind: 'refused', name: principal.name })
    }
    return fail(call, chain, authenticator, identity)
  }

  function admit(
    call: Call,
    authenticator: Authenticator,
    identity: Identity & { kind: 'known' },
  ): Principal | Promise<Principal> {
    const { principal } = identity
    call.user = principal.name
    call.admittedBy = authenticator
    setCookies(call, identity.cookies)
    call.ending = identity.answer ?? (call.request.search === '' ? undefined : sessions?.leadOn(call.request))
    if (authenticator.isStateful) return openSession(call, authenticator, principal)
    const announcing = announce.use(call, authenticator.name, principal)
    return announcing === undefined ? principal : announcing.then(() => principal)
  }

  async function openSession(call: Call, { name: plugin }: Authenticator, principal: Principal): Promise<Principal> {
    if (sessions !== undefined) setCookies(call, await sessions.open(call.request, principal, plugin))
    await announce.signIn(call, plugin, principal)
    return principal
  }

  async function fail(
    call: Call,
    chain: Chain,
    { name: plugin }: Authenticator,
    failure: SignInFailure & { name: string },
  ): Promise<Principal> {
    log.info({ event: 'login.failed', requestId: call.id, user: failure.name, plugin }, 'login failed')
    await announce.failure(call, plugin, failure)
    return refuse(call, chain, failure)
  }

  async function refuse(call: Call, chain: Chain, failure: SignInFailure, cause?: unknown): Promise<Principal> {
    if (!chain.handlesPrompt) {
      call.ending = sayWhereToSignIn(call.request)
      return guest
    }
    for (const authenticator of chain.authenticators) {
      const prompt = await authenticator.prompt?.(call.request, failure)
      if (prompt?.kind === 'page') {
        call.ending = prompt.answer
        return guest
      }
      if (prompt === undefined) continue
      call.challenge = prompt.challenge
      break
    }
    if (failure.kind === 'throttled') throw tooManyAttempts({ retryAfterSeconds: failure.retryAfterSeconds })
    throw failure.kind === 'uncheckable' ? credentialsUncheckable({}, { cause }) : notAuthenticated({})
  }

  /** Only what let the caller in is asked: other credentials of the same request are no reason to stay. */
  async function renew({ request, user, admittedBy }: Call): Promise<Principal | undefined> {
    if (user === undefined) return guest
    const renewed =
      admittedBy === undefined ? await sessions?.peek(request) : principalOf(await identifyAgain(admittedBy, request))
    return renewed?.name === user && mayEnter(renewed) ? renewed : undefined
  }

  function identifyAgain(authenticator: Authenticator, request: IncomingRequest): Identity | Promise<Identity> {
    return authenticator.identifyAgain?.(request, principals) ?? authenticator.identify(request, principals)
  }

  return { isOpen: (request) => isOpen(request.method, request.path), authenticate, renew }
}

/** The anonymous user is who has no credentials: no token or signature that names it lets anybody in. */
function isNobody({ needsAccount }: Call, { admitsAnonymous = false }: Authenticator, identity: Identity): boolean {
  return identity.kind === 'known' && identity.principal.isAnonymous && (needsAccount || !admitsAnonymous)
}

function principalOf(identity: Identity): Principal | undefined {
  return identity.kind === 'known' ? identity.principal : undefined
}

function uncheckable(cause: unknown): never {
  throw databaseUnreachable.is(cause) ? credentialsUncheckable({}, { cause }) : cause
}

function setCookies(call: Call, cookies: readonly string[] | undefined): void {
  if (cookies !== undefined) for (const cookie of cookies) call.addHeader('Set-Cookie', cookie)
}

function isSignIn({ stateful }: Chain, request: IncomingRequest): boolean {
  return stateful.some((one) => one.isSignIn?.(request) === true)
}

function sayWhereToSignIn({ baseUrl }: IncomingRequest) {
  const url = `${baseUrl}login`
  const headers = { Location: url }
  return { kind: 'text', status: 401, contentType: 'text/plain; charset=UTF-8', text: `Sign in at ${url}`, headers } as const
}

/** A chain with its authenticators found. */
interface Chain {
  readonly matches: (request: IncomingRequest) => boolean
  readonly authenticators: readonly Authenticator[]
  readonly stateful: readonly Authenticator[]
  readonly handlesPrompt: boolean
}

function createChainSelection({ authenticators, chains }: AuthenticationParts): (request: IncomingRequest) => Chain {
  const byName = new Map(authenticators.map((one) => [one.name, one]))
  const namesOfDefault = chains.find(({ name }) => name === defaultChain)?.replacementChain ?? []
  for (const { setting, replacementChain = [] } of chains) if (setting !== undefined) requireKnown(setting, replacementChain)
  const inOrder = chains.toSorted((left, right) => (left.order ?? 0) - (right.order ?? 0))
  const specific = inOrder.flatMap((one) => {
    if (one.name === defaultChain) return []
    const { path, header, replacementChain, handlePrompt = true } = one
    const names = replacementChain ?? namesOfDefault.filter((name) => isAsked(one, name))
    const isPath = path === undefined ? () => true : wholePathTest(path)
    const hasHeader = ({ headers }: IncomingRequest) => header === undefined || headers[header] !== undefined
    return [chainOf((request) => isPath(request.path) && hasHeader(request), names, handlePrompt)]
  })
  const otherwise = chainOf(() => true, namesOfDefault, true)
  for (const one of new Set([...specific, otherwise].flatMap((chain) => chain.authenticators))) one.checkSettings?.()

  function requireKnown(setting: string, names: readonly string[]): void {
    const known = [...byName.keys()]
    for (const name of names)
      if (!byName.has(name)) throw unknownAuthenticator({ setting, name, nearest: findNearestName(name, known) })
  }

  function chainOf(matches: Chain['matches'], names: readonly string[], handlesPrompt: boolean): Chain {
    const found = names.flatMap((name) => byName.get(name) ?? [])
    return { matches, authenticators: found, stateful: found.filter(({ isStateful }) => isStateful), handlesPrompt }
  }

  return (request) => specific.find(({ matches }) => matches(request)) ?? otherwise
}

function isAsked({ allowedPlugins, deniedPlugins }: AuthenticationChain, name: string): boolean {
  if (deniedPlugins?.includes(name)) return false
  return allowedPlugins?.includes(name) ?? deniedPlugins !== undefined
}

/** Each request is held against each pattern, so the usual kind is looked for as text, which takes a tenth of the time. */
function wholePathTest(pattern: string): (path: string) => boolean {
  const [, text] = /^\(?\.\*\)?([\w/-]+)\.\*$/.exec(pattern) ?? []
  if (text !== undefined) return (path) => path.includes(text)
  const whole = wholePath(pattern)
  return (path) => whole.test(path)
}

interface Announcements {
  /** Somebody has begun a session. */
  signIn(call: Call, plugin: string, principal: Principal): Promise<void>
  /** A program uses credentials that it sends with every request; undefined where there is nothing to tell. */
  use(call: Call, plugin: string, principal: Principal): Promise<void> | undefined
  failure(call: Call, plugin: string, failure: SignInFailure & { name: string }): Promise<void> | undefined
}

const announcedForMillis = 60 * 60_000
const maxAnnounced = 10_000

function createAnnouncements(home: Repository, { vendored }: Services['facts'], log: Log): Announcements {
  const isSuccessHeard = isListenedTo(home, 'loginSuccess')
  /** When it was told of a program, or of a network that guesses: once an hour is enough. Nothing but the time ends it. */
  const told = createCache<string, number>({ maxEntries: maxAnnounced })

  function isNews(key: string): boolean {
    const before = told.get(key)
    const now = performance.now()
    if (before !== undefined && now - before < announcedForMillis) return false
    told.set(key, now)
    return true
  }

  async function tell(call: Call, event: SignInEvent): Promise<void> {
    try {
      await announceSignIn(home, event, vendored)
    } catch (err) {
      // What cannot be written down must not keep people from reading.
      log.error(
        { event: 'login.unannounced', requestId: call.id, name: event.name, err },
        'an event of sign-in was not announced',
      )
    }
  }

  const signIn: Announcements['signIn'] = (call, plugin, principal) =>
    tell(call, { name: 'loginSuccess', user: principal.name, plugin, principal })

  return {
    signIn,
    use(call, plugin, principal) {
      if (!isSuccessHeard) return undefined
      return isNews(`${plugin} ${call.request.clientAddress} ${principal.name}`) ? signIn(call, plugin, principal) : undefined
    },
    failure(call, plugin, { kind, name: user }) {
      // A guess that is not looked at costs nothing, and each would be a row of the audit log, whatever name it has.
      if (kind === 'throttled' && !isNews(`${plugin} ${networkOf(call.request.clientAddress)}`)) return undefined
      return tell(call, { name: 'loginFailed', user, plugin })
    },
  }
}

function createOpenUrlTest(urls: readonly OpenUrl[]): (method: string, path: string) => boolean {
  const patterns = urls.map(({ method, grant, deny }) => ({
    method,
    grant: grant === undefined ? undefined : wholePath(grant),
    deny: deny === undefined ? undefined : wholePath(deny),
  }))
  const isMatched = (by: 'grant' | 'deny', method: string, path: string) =>
    patterns.some((one) => (one.method === undefined || one.method === method) && one[by]?.test(path))
  return (method, path) => isMatched('grant', method, path) && !isMatched('deny', method, path)
}

function wholePath(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`)
}
