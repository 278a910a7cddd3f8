import type { Log } from '../../base/log.ts'
import { defineProblem } from '../../base/problem.ts'
import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Principals } from '../../core/principals/principals.ts'
import { createPrincipal, type Principal, systemUser } from '../../model/rights/principal.ts'
import { type Authenticator, type Identity, notAuthenticated } from '../../rest/authenticator.ts'
import { databaseUnreachable } from '../../store/problems.ts'
import type { Call } from '../answer/http-exchange.ts'
import type { HttpSettings, OpenUrl } from '../http-settings.ts'
import { findCookie } from '../protection/session-cookie.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'

/** Two names of one thing: chains of browsers and of the API call it differently. */
export const basicAuthenticators: readonly Authenticator[] = ['BASIC_AUTH', 'AUTOMATION_BASIC_AUTH'].map(createBasicAuthenticator)

const none: Identity = { kind: 'none' }

function createBasicAuthenticator(name: string): Authenticator {
  // A client sends the same header with every request of a connection: reading and hashing it again would tell nothing new.
  const admitted = new WeakMap<object, Admitted>()

  async function checkCredentials({ headers, connection }: Sent, principals: Principals): Promise<Identity> {
    const { authorization } = headers
    const credentials = parseBasic(authorization)
    if (credentials === undefined) return none
    const principal = await principals.authenticate(credentials.name, credentials.password)
    if (principal === undefined) return { kind: 'refused', name: credentials.name }
    admitted.set(connection, { authorization, principal })
    return { kind: 'known', principal }
  }

  return {
    name,
    identify(request, principals) {
      const before = admitted.get(request.connection)
      if (before === undefined || before.authorization !== request.headers['authorization']) {
        return checkCredentials(request, principals)
      }
      const orElse = (renewed: Principal | undefined): Identity | Promise<Identity> =>
        renewed === undefined ? checkCredentials(request, principals) : { kind: 'known', principal: renewed }
      const renewed = principals.renew(before.principal)
      return renewed instanceof Promise ? renewed.then(orElse) : orElse(renewed)
    },
  }
}

type Sent = Parameters<Authenticator['identify']>[0]

interface Admitted {
  readonly authorization: string | readonly string[] | undefined
  readonly principal: Principal
}

interface Credentials {
  readonly name: string
  readonly password: string
}

/** Undefined also for an empty name or password: that is no attempt to log in. */
export function parseBasic(header: string | readonly string[] | undefined): Credentials | undefined {
  if (typeof header !== 'string' || !/^basic /i.test(header)) return undefined
  const decoded = Buffer.from(header.slice('basic '.length).trim(), 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon <= 0 || colon === decoded.length - 1) return undefined
  return { name: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

export const credentialsUncheckable = defineProblem(
  'credentialsUncheckable',
  'unavailable',
  (_: object) => 'The credentials cannot be checked now. Try again later.',
)

/** The principal of requests that need no credentials. */
export const guest: Principal = createPrincipal('Guest', [], { isAdministrator: false, isAnonymous: true })

export interface Authentication {
  /** Whether a path is answered without looking at credentials, even if some are sent. */
  isOpen(request: IncomingRequest): boolean
  /** Told at once where it can be. @throws notAuthenticated, credentialsUncheckable */
  authenticate(call: Call): Principal | Promise<Principal>
  /** The header that makes a browser ask for a password, unless the client asked not to be bothered. */
  findChallenge(request: IncomingRequest): string | undefined
}

export function createAuthentication(
  settings: HttpSettings['authentication'],
  authenticators: readonly Authenticator[],
  principals: Principals,
  vendored: VendorIdentifiers,
  log: Log,
): Authentication {
  const byName = new Map(authenticators.map((one) => [one.name, one]))
  const chainOf = (names: readonly string[]) => names.flatMap((name) => byName.get(name) ?? [])
  const chains = {
    automation: chainOf(settings.chains.automation),
    api: chainOf(settings.chains.api),
    token: chainOf(['TOKEN_AUTH']),
    others: chainOf(settings.chains.others),
  }
  const isOpen = createOpenUrlTest(settings.openUrls)
  const challenge = `Basic realm="${vendored(settings.realm)}"`

  function selectChain({ path, headers }: IncomingRequest): readonly Authenticator[] {
    if (path.includes('/automation')) return chains.automation
    if (path.includes('/api/v')) return chains.api
    return headers['x-authentication-token'] === undefined ? chains.others : chains.token
  }

  /** The first that recognises credentials decides: after a wrong password no other authenticator is asked. */
  function identify(request: IncomingRequest, chain: readonly Authenticator[]): Identity | Promise<Identity> {
    const [first, ...others] = chain
    if (first === undefined) return { kind: 'none' }
    const orOthers = (identity: Identity) => (identity.kind === 'none' ? identify(request, others) : identity)
    const identity = first.identify(request, principals)
    return identity instanceof Promise ? identity.then(orOthers) : orOthers(identity)
  }

  function authenticate(call: Call): Principal | Promise<Principal> {
    const identity = identify(call.request, selectChain(call.request))
    return identity instanceof Promise ? identity.then((one) => admit(call, one), uncheckable) : admit(call, identity)
  }

  function uncheckable(cause: unknown): never {
    throw databaseUnreachable.is(cause) ? credentialsUncheckable({}, { cause }) : cause
  }

  function admit(call: Call, identity: Identity): Principal {
    // No client may log in as the server's own user, whatever an authenticator says.
    if (identity.kind === 'known' && identity.principal.name !== systemUser) {
      call.user = identity.principal.name
      return identity.principal
    }
    if (identity.kind !== 'none') {
      const user = identity.kind === 'known' ? identity.principal.name : identity.name
      log.info({ event: 'login.failed', requestId: call.id, user }, 'login failed')
    }
    throw notAuthenticated({})
  }

  return {
    isOpen: (request) => isOpen(request.method, request.path),
    authenticate,
    findChallenge: (request) => (silencers.some((name) => isPresent(request, name)) ? undefined : challenge),
  }
}

// Any cookie at all is a browser session that a page of ours looks after (contract: security 2.2).
const silencers = ['X-No-Basic-Header', 'Cookie', 'X-Authentication-Token']

function isPresent({ headers }: IncomingRequest, name: string): boolean {
  const header = headers[name.toLowerCase()]
  return (typeof header === 'string' && header.trim() !== '') || findCookie(headers.cookie, name) !== undefined
}

function createOpenUrlTest(urls: readonly OpenUrl[]): (method: string, path: string) => boolean {
  const patterns = urls.map(({ method, grant, deny }) => ({ method, grant: wholePath(grant), deny: wholePath(deny) }))
  const isMatched = (by: 'grant' | 'deny', method: string, path: string) =>
    patterns.some((one) => (one.method === undefined || one.method === method) && one[by]?.test(path))
  return (method, path) => isMatched('grant', method, path) && !isMatched('deny', method, path)
}

function wholePath(pattern: string | undefined): RegExp | undefined {
  return pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`)
}
