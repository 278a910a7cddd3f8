import { randomBytes } from 'node:crypto'
import { announceSignIn } from '../../core/principals/sign-in-events.ts'
import type { Answer } from '../../rest/answer.ts'
import type { BrowserRequest, SignInLink } from '../../rest/authenticator.ts'
import { formatCookie } from '../../rest/request/cookies.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'
import type { Services } from '../../rest/services.ts'
import { createWayBack, parseRequestedUrl, redirectTo, signInSettings } from '../sign-in/index.ts'
import { admitPerson } from './admit-person.ts'
import { readClaims } from './claims.ts'
import { createProviderClient, type ProviderClient, providerUnusable, signInDenied } from './provider-client.ts'
import type { IdentityProvider } from './providers.ts'
import { createSignInStates, type PendingSignIn, pendingSeconds } from './sign-in-states.ts'

/** Ties a sign-in that is under way to the browser that began it, so that nobody can have another's browser end theirs. */
const browserCookie = 'openid-connect'
/** Finds what the provider has to be told when somebody signs out. */
const sessionCookie = 'openid-connect-session'
const secretShape = /^[\w-]{43}$/
const longestState = 200

/** Parameters of the sign-in page by which it tells why somebody is back from a provider, and what it tells. */
const openIdProblems = {
  openidDenied: {
    en: 'The sign-in was not completed at the identity provider. Try again, or sign in another way.',
    fr: 'La connexion n’a pas abouti chez le fournisseur d’identité. Réessayez, ou connectez-vous autrement.',
  },
  openidExpired: {
    en: 'The sign-in took too long, or was begun in another browser. Try again.',
    fr: 'La connexion a pris trop de temps, ou a été commencée dans un autre navigateur. Réessayez.',
  },
  openidFailed: {
    en: 'The identity provider cannot be used at the moment. Try again later, or tell an administrator.',
    fr: 'Le fournisseur d’identité est inutilisable pour le moment. Réessayez plus tard, ou prévenez un administrateur.',
  },
  openidNoAccount: {
    en: 'The identity provider knows you, but you may not sign in here with that account. Ask an administrator.',
    fr: 'Le fournisseur d’identité vous connaît, mais ce compte ne permet pas de se connecter ici. Adressez-vous à un administrateur.',
  },
  openidBusy: {
    en: 'Too many sign-ins were begun from your address. Try again in ten minutes.',
    fr: 'Trop de connexions ont été commencées depuis votre adresse. Réessayez dans dix minutes.',
  },
} as const

type OpenIdProblem = keyof typeof openIdProblems

interface ReachableProvider {
  readonly provider: IdentityProvider
  readonly client: ProviderClient
  /** As sessions and events name it. */
  readonly plugin: string
}

export interface OpenIdConnect {
  readonly routes: readonly Route[]
  readonly links: readonly SignInLink[]
}

/** The way of a browser to a provider and back. */
export function createOpenIdConnect(
  providers: readonly IdentityProvider[],
  timeoutMillis: number,
  services: Services,
): OpenIdConnect {
  const states = createSignInStates(services)
  const wayBack = createWayBack(
    () => services.valuesOf(signInSettings),
    () => services.facts.vendored,
  )
  const byName = new Map<string, ReachableProvider>(
    providers.map((provider) => {
      const plugin = `OPENID_CONNECT_AUTH:${provider.name}`
      return [provider.name, { provider, plugin, client: createProviderClient(provider, timeoutMillis) }]
    }),
  )

  async function begin(exchange: Exchange, name: string): Promise<Answer> {
    const { request } = exchange
    const { baseUrl, query } = request
    const found = byName.get(name)
    const requestedUrl = parseRequestedUrl(query.get('requestedUrl'), baseUrl)?.slice(baseUrl.length) ?? ''
    if (found === undefined) return backToForm(request, 'openidFailed', requestedUrl)
    const sent = request.cookie(browserCookie)
    // One for all tabs, so that a second one does not end what the first began.
    const browser = sent !== undefined && secretShape.test(sent) ? sent : newSecret()
    const { state, nonce, verifier } = await found.client.newSecrets()
    const pending = { provider: name, nonce, verifier, requestedUrl, redirectUri: `${baseUrl}openid-connect/${name}/callback` }
    try {
      const url = await found.client.authorizationUrl(state, pending)
      if (!(await states.begin(state, browser, request.clientAddress, pending)))
        return backToForm(request, 'openidBusy', requestedUrl)
      exchange.setCookie(cookieOf(request, browserCookie, browser, pendingSeconds))
      return redirectTo(request, url)
    } catch (error) {
      return explain(request, found, error, requestedUrl)
    }
  }

  async function finish(exchange: Exchange, name: string): Promise<Answer> {
    const { request } = exchange
    const found = byName.get(name)
    const state = request.query.get('state') ?? ''
    const isState = state !== '' && state.length <= longestState
    const pending = isState ? await states.take(state, request.cookie(browserCookie)) : undefined
    // What one provider answers is never taken for what another was asked.
    if (found === undefined || pending?.provider !== name)
      return backToForm(request, 'openidExpired', pending?.requestedUrl ?? '')
    try {
      return await admit(exchange, found, state, pending)
    } catch (error) {
      return explain(request, found, error, pending.requestedUrl)
    }
  }

  async function admit(
    exchange: Exchange,
    { provider, client, plugin }: ReachableProvider,
    state: string,
    pending: PendingSignIn,
  ): Promise<Answer> {
    const { request, repository } = exchange
    const { claims, idToken } = await client.readPerson(request.search, state, pending)
    const read = readClaims(provider, claims)
    if (read.kind === 'unusable') throw providerUnusable({ provider: provider.name }, { cause: new Error(read.reason) })
    const { person } = read
    const admission = await admitPerson(services, repository.home, provider, person)
    if (admission.kind === 'refused') {
      const { reason } = admission
      services.log.info({ event: 'login.failed', user: person.userName, plugin, reason }, 'login failed')
      await announceSignIn(repository.home, { name: 'loginFailed', user: person.userName, plugin }, services.facts.vendored)
      return backToForm(request, 'openidNoAccount', pending.requestedUrl)
    }
    const { principal } = admission
    const key = newSecret()
    await states.rememberSession(key, { provider: provider.name, user: principal.name, idToken })
    const opened = (await services.authentication.sessions?.open(request, principal, plugin)) ?? []
    const own = [cookieOf(request, sessionCookie, key), cookieOf(request, browserCookie, '', 0)]
    for (const cookie of [...opened, ...own, ...wayBack.forget(request)]) exchange.setCookie(cookie)
    await announceSignIn(
      repository.home,
      { name: 'loginSuccess', user: principal.name, plugin, principal },
      services.facts.vendored,
    )
    return redirectTo(request, wayBack.find(request, pending.requestedUrl))
  }

  /** People are told what they can do; what went wrong is for who reads the log, without anything that was secret. */
  function explain(
    request: BrowserRequest,
    { provider, plugin }: ReachableProvider,
    error: unknown,
    requestedUrl: string,
  ): Answer {
    if (!signInDenied.is(error) && !providerUnusable.is(error)) throw error
    const fields = { event: 'login.failed', provider: provider.name, plugin, reason: describe(error) }
    if (signInDenied.is(error)) services.log.info(fields, 'login failed')
    else services.log.warn(fields, 'identity provider cannot be used')
    return backToForm(request, signInDenied.is(error) ? 'openidDenied' : 'openidFailed', requestedUrl)
  }

  function backToForm(request: BrowserRequest, problem: OpenIdProblem, requestedUrl: string): Answer {
    const { loginPage } = services.valuesOf(signInSettings)
    const parameters = new URLSearchParams({ [problem]: 'true', ...(requestedUrl !== '' && { requestedUrl }) })
    return redirectTo(request, `${request.baseUrl}${loginPage}?${parameters}`)
  }

  async function signOut(
    request: BrowserRequest,
    { provider, client, plugin }: ReachableProvider,
    user: string,
  ): Promise<{ readonly url?: string; readonly cookies: readonly string[] }> {
    const key = request.cookie(sessionCookie)
    const remembered = key !== undefined && secretShape.test(key) ? await states.takeSession(key) : undefined
    const cookies = [cookieOf(request, sessionCookie, '', 0)]
    if (!provider.signOutAtProvider) return { cookies }
    const isOwn = remembered?.provider === provider.name && remembered.user === user
    const backTo = `${request.baseUrl}${services.valuesOf(signInSettings).startPage}`
    try {
      const url = await client.endSessionUrl(isOwn ? remembered.idToken : '', backTo)
      return { cookies, ...(url !== undefined && { url }) }
    } catch (error) {
      const fields = { event: 'logout.incomplete', provider: provider.name, plugin, reason: describe(error) }
      services.log.warn(fields, 'identity provider cannot be used')
      return { cookies }
    }
  }

  function linkTo(reachable: ReachableProvider): SignInLink {
    const { name, label } = reachable.provider
    return {
      name: `openid-connect-${name}`,
      label,
      problems: openIdProblems,
      urlFor({ baseUrl }, requestedUrl) {
        const url = `${baseUrl}openid-connect/${name}/sign-in`
        return requestedUrl ? `${url}?${new URLSearchParams({ requestedUrl })}` : url
      },
      signOut: async (request, session) =>
        session.authenticator === reachable.plugin ? signOut(request, reachable, session.principal.name) : undefined,
    }
  }

  const shared = { method: 'GET', under: 'server', isPublic: true, ignoresBody: true } as const
  return {
    links: [...byName.values()].map(linkTo),
    routes: [
      {
        ...shared,
        path: '/openid-connect/{provider}/sign-in',
        operationId: 'signInAtProvider',
        summary: 'Lead a browser to an identity provider to sign in there',
        answers: { 302: 'to the provider, or back to the sign-in page, which says why' },
        handle: (exchange, { provider = '' }) => begin(exchange, provider),
      },
      {
        ...shared,
        path: '/openid-connect/{provider}/callback',
        operationId: 'comeBackFromProvider',
        summary: 'Begin a session for somebody whom an identity provider sends back',
        answers: { 302: 'to the page that was asked for, or back to the sign-in page, which says why' },
        handle: (exchange, { provider = '' }) => finish(exchange, provider),
      },
    ],
  }
}

/** Sent along when a provider leads back here, which another site does: so not `Strict`. */
function cookieOf({ basePath, baseUrl }: BrowserRequest, name: string, value: string, maxAgeSeconds?: number): string {
  const attributes = { path: basePath, isSecure: baseUrl.startsWith('https:'), sameSite: 'Lax' } as const
  return formatCookie(name, value, maxAgeSeconds === undefined ? attributes : { ...attributes, maxAgeSeconds })
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Messages alone: what errors of the library carry besides may be codes and tokens. */
function describe(error: unknown): string {
  const messages: string[] = []
  for (let one = error; one instanceof Error && messages.length < 5; one = one.cause) messages.push(one.message)
  return messages.join(': ').slice(0, 500)
}
