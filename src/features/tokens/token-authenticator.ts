import { createCache } from '../../base/cache/bounded-cache.ts'
import type { Principals } from '../../core/principals/principals.ts'
import type { Principal } from '../../model/rights/principal.ts'
import type { Authenticator, CredentialRequest, Identity } from '../../rest/authenticator.ts'
import { formatCookie } from '../../rest/request/cookies.ts'
import { isPostedForm } from '../../rest/request/url-encoded-form.ts'
import type { Services } from '../../rest/services.ts'
import { tokenDirectory } from './token-model.ts'
import { digestOfToken, mayBeToken } from './token-text.ts'

const header = 'x-authentication-token'
const cookieName = 'X-Authentication-Token'
const parameter = 'token'

const none: Identity = { kind: 'none' }

/** Whose token it was when the directories were of this generation. */
interface KnownToken {
  readonly generation: number
  readonly userName: string
  /** The cookie that its answers set. */
  readonly cookies: readonly string[]
}

const maxKnown = 10_000

interface TokenSignInRules {
  readonly allowsAnonymous: boolean
}

/** Lets in who sends a token in a header, a parameter or a cookie (contract: security 2.3). */
export function createTokenAuthenticator({ allowsAnonymous }: TokenSignInRules, services: Services): Authenticator {
  // Any change of any directory, in whichever process, ends an entry: a token that was revoked is asked for again at once.
  const known = createCache<string, KnownToken>({ maxEntries: maxKnown })

  function identify(request: CredentialRequest, principals: Principals): Identity | Promise<Identity> {
    const sent = request.headers[header] || findParameter(request)
    if (typeof sent === 'string') return identifyBy(sent, request, principals)
    if (!isPostedForm(request)) return identifyBy(request.cookie(cookieName), request, principals)
    return request.readForm().then((form) => identifyBy(form.get(parameter) || request.cookie(cookieName), request, principals))
  }

  function identifyBy(
    token: string | undefined,
    request: CredentialRequest,
    principals: Principals,
  ): Identity | Promise<Identity> {
    if (token === undefined || !mayBeToken(token)) return none
    const before = known.get(token)
    if (before === undefined) return identifyAnew(token, request, principals)
    const generation = services.directories.store.reader.directories.findGeneration()
    const principal = principals.lookUp(before.userName)
    if (generation === before.generation && !(principal instanceof Promise)) return admit(token, before, principal, request)
    return identifyAgain(token, before, principal, request, principals)
  }

  /** Asks what has changed beside what is asked about the user, so that both are one way to the database. */
  async function identifyAgain(
    token: string,
    before: KnownToken,
    found: Principal | undefined | Promise<Principal | undefined>,
    request: CredentialRequest,
    principals: Principals,
  ): Promise<Identity> {
    const [generation, principal] = await Promise.all([services.directories.store.reader.directories.generation(), found])
    if (generation !== before.generation) return identifyAnew(token, request, principals)
    return admit(token, before, principal, request)
  }

  async function identifyAnew(token: string, request: CredentialRequest, principals: Principals): Promise<Identity> {
    const { directories } = services.directories.store.reader
    // Before the look: a change in between must not be taken for seen.
    const generation = await directories.generation()
    const userName = (await directories.find(tokenDirectory, digestOfToken(token)))?.values['userName']
    if (typeof userName !== 'string') {
      known.delete(token)
      return none
    }
    const found = { generation, userName, cookies: [cookieFor(request, token)] }
    known.set(token, found)
    return admit(token, found, await principals.lookUp(userName), request)
  }

  function admit(
    token: string,
    { userName: name, cookies }: KnownToken,
    principal: Principal | undefined,
    request: CredentialRequest,
  ): Identity {
    if (principal === undefined) return { kind: 'refused', name }
    if (request.headers.cookie !== undefined && request.cookie(cookieName) === token) return { kind: 'known', principal }
    return { kind: 'known', principal, cookies }
  }

  function cookieFor({ basePath }: Pick<CredentialRequest, 'basePath'>, value: string, maxAgeSeconds?: number): string {
    const isSecure = !services.facts.devMode
    return formatCookie(cookieName, value, { path: basePath, isSecure, ...(maxAgeSeconds !== undefined && { maxAgeSeconds }) })
  }

  return { name: 'TOKEN_AUTH', admitsAnonymous: allowsAnonymous, identify, logout: (request) => [cookieFor(request, '', 0)] }
}

function findParameter({ search, query }: CredentialRequest): string | undefined {
  return search.includes(parameter) ? query.get(parameter) || undefined : undefined
}
