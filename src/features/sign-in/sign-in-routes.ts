import { announceSignIn } from '../../core/principals/sign-in-events.ts'
import type { Answer } from '../../rest/answer.ts'
import type { KeptIdentity, SignInLink, SignOutElsewhere } from '../../rest/authenticator.ts'
import { bytesAnswer, emptyAnswer } from '../../rest/openapi/answers.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { goOnScriptPath } from './form-authenticator.ts'
import { goOnScript, homePage, signInPage } from './pages/sign-in-page.ts'
import { choosePageLanguage, type PageLanguage, signInProblems, signInTexts } from './pages/sign-in-texts.ts'
import { parseRequestedUrl, redirectTo } from './requested-url.ts'
import type { signInSettings } from './settings.ts'

type SignInValues = SettingValues<typeof signInSettings>

const page = bytesAnswer('the page', 'text/html')
const shownAgain = 'somebody who has not signed in is asked to'

/** The addresses that browsers know (contract: security 2.5). */
export function createSignInRoutes(values: SignInValues): readonly Route[] {
  const { productName, startPage } = values

  async function showForm(exchange: Exchange): Promise<Answer> {
    const { request, services } = exchange
    const { query, baseUrl } = request
    const requestedUrl = parseRequestedUrl(query.get('requestedUrl'), baseUrl)
    if (requestedUrl !== undefined && (await findSession(exchange)) !== undefined) return redirectTo(request, requestedUrl)
    const below = requestedUrl?.slice(baseUrl.length)
    const language = choosePageLanguage(query.get('language'), request.headers['accept-language'])
    const { links } = services.authentication
    const token = await exchange.issueCsrfToken()
    return signInPage({
      productName,
      language,
      userNameField: values.loginUsernameKey,
      passwordField: values.loginPasswordKey,
      userName: (query.get(values.loginUsernameKey) ?? '').slice(0, 200),
      hidden: {
        requestedUrl: below ?? '',
        forceAnonymousLogin: query.get('forceAnonymousLogin') === 'true' ? 'true' : '',
        ...(token !== undefined && { 'csrf-token': token }),
      },
      problem: findProblem(query, links, language),
      links: links.map(({ label, urlFor }) => ({ label, url: urlFor(request, below) })),
      languages: [
        { name: 'English', code: 'en' },
        { name: 'Français', code: 'fr' },
      ].map((one) => ({ ...one, url: `?${withLanguage(query, one.code)}` })),
      formLeadsTo: below?.startsWith('oauth') ? placesOfPrograms(requestedUrl) : undefined,
    })
  }

  async function signOut(exchange: Exchange): Promise<Answer> {
    const { request, services, repository, principal } = exchange
    const { authenticators, sessions } = services.authentication
    const session = await findSession(exchange)
    // Also of who has no session: a token's cookie, such as that of a guest, would go on letting in whoever has the browser next.
    for (const one of authenticators) for (const cookie of one.logout?.(request) ?? []) exchange.setCookie(cookie)
    if (session === undefined || sessions === undefined) return promptAgain(exchange)
    for (const cookie of await sessions.end(request)) exchange.setCookie(cookie)
    const elsewhere = await signOutElsewhere(exchange, session)
    for (const cookie of elsewhere?.cookies ?? []) exchange.setCookie(cookie)
    const event = { name: 'logout', user: principal.name, plugin: session.authenticator, principal } as const
    await announceSignIn(repository.home, event, services.facts.vendored)
    return redirectTo(request, elsewhere?.url ?? targetAfterSignOut(exchange))
  }

  function targetAfterSignOut({ request, services, principal }: Exchange): string {
    const { query, baseUrl } = request
    const callback = query.get('callbackURL') ?? ''
    const isOwn = [baseUrl, services.facts.vendored('platform://'), 'nxdrive://'].some((start) => callback.startsWith(start))
    if (isOwn && /^[\x21-\x7e]+$/.test(callback) && !callback.includes('\\')) return callback
    const forwarded = new URLSearchParams()
    const requestedUrl = parseRequestedUrl(query.get('requestedUrl'), baseUrl)
    if (requestedUrl !== undefined) forwarded.set('requestedUrl', requestedUrl.slice(baseUrl.length))
    if (query.has('securityError')) forwarded.set('securityError', 'true')
    if (principal.isAnonymous) forwarded.set('forceAnonymousLogin', 'true')
    return `${baseUrl}${startPage}${forwarded.size === 0 ? '' : `?${forwarded}`}`
  }

  /** Who comes here is known, but not by a session, or wants to be somebody else: there is no page to come back to. */
  function promptAgain({ request }: Exchange): Answer {
    return redirectTo(request, `${request.baseUrl}${values.loginPage}`)
  }

  async function showHome(exchange: Exchange): Promise<Answer> {
    const { request } = exchange
    const { baseUrl } = request
    const language = choosePageLanguage(request.query.get('language'), request.headers['accept-language'])
    const session = await findSession(exchange)
    const links = { login: `${baseUrl}${values.loginPage}`, logout: `${baseUrl}logout`, api: `${baseUrl}api/v1/doc/` }
    return homePage({ productName, language, user: session?.principal.name, links })
  }

  const startUp = async ({ request }: Exchange) => redirectTo(request, `${request.baseUrl}${startPage}`)
  const redirected = { 302: 'to the page that was asked for, or the start page', 401: shownAgain }
  return [
    {
      ...openPage('/login.jsp', 'getSignInPage', 'The page at which people sign in'),
      answers: { 200: page, 302: 'to the page that was asked for, where somebody has signed in' },
      handle: showForm,
    },
    {
      ...openPage('/home.html', 'getHomePage', 'The start page of a server without another one'),
      answers: { 200: page },
      handle: showHome,
    },
    {
      ...openPage(`/${goOnScriptPath}`, 'getGoOnScript', 'What the page runs that leads on to sign-in'),
      answers: { 200: bytesAnswer('the script', 'text/javascript') },
      handle: async () => ({ kind: 'text', status: 200, contentType: 'text/javascript; charset=utf-8', text: goOnScript }),
    },
    {
      method: 'POST',
      path: '/startup',
      operationId: 'signIn',
      under: 'server',
      summary: 'Sign in with the fields of the form, as application/x-www-form-urlencoded, and begin a session',
      ignoresBody: true,
      answers: { ...redirected, 200: emptyAnswer('a script has signed in'), 429: 'too many attempts have failed' },
      handle: startUp,
    },
    {
      method: 'GET',
      path: '/startup',
      operationId: 'startUp',
      under: 'server',
      summary: 'Lead somebody who has signed in to the start page',
      answers: { ...redirected, 200: emptyAnswer('a script has signed in') },
      handle: startUp,
    },
    {
      method: 'GET',
      path: '/login',
      operationId: 'signInAgain',
      under: 'server',
      summary: 'Ask for credentials, also who has signed in: to be somebody else',
      answers: { 200: emptyAnswer('a script asks'), 302: 'to the sign-in page', 401: shownAgain },
      handle: async (exchange) => promptAgain(exchange),
    },
    {
      method: 'GET',
      path: '/logout',
      operationId: 'signOut',
      under: 'server',
      summary: 'End the session',
      answers: {
        302: 'to `callbackURL`, the start page, or where people sign out who signed in elsewhere',
        200: emptyAnswer('a script has signed out'),
        401: shownAgain,
      },
      handle: signOut,
    },
  ]
}

function openPage(path: string, operationId: string, summary: string) {
  return { method: 'GET', under: 'server', isPublic: true, path, operationId, summary } as const
}

/** Who signs in to let another program in is sent on to that: to whichever place the request for it names. */
function placesOfPrograms(requestedUrl: string | undefined): string {
  const redirectUri = URL.parse(requestedUrl ?? '')?.searchParams.get('redirect_uri')
  const scheme = URL.parse(redirectUri ?? '')?.protocol ?? ''
  return [...new Set(['https:', 'http:', ...(/^[a-z][a-z0-9+.-]*:$/.test(scheme) ? [scheme] : [])])].join(' ')
}

/** What the page was told to tell, by this server or by another way to sign in. */
function findProblem(query: URLSearchParams, links: readonly SignInLink[], language: PageLanguage): string | undefined {
  const own = signInProblems.find((name) => query.get(name) === 'true')
  if (own !== undefined) return signInTexts[language].problems[own]
  const others = links.flatMap(({ problems = {} }) => Object.entries(problems))
  return others.find(([name]) => query.get(name) === 'true')?.[1][language]
}

async function signOutElsewhere({ request, services }: Exchange, session: KeptIdentity): Promise<SignOutElsewhere | undefined> {
  for (const link of services.authentication.links) {
    const done = await link.signOut?.(request, session)
    if (done !== undefined) return done
  }
  return undefined
}

function findSession({ request, services }: Exchange): KeptIdentity | undefined | Promise<KeptIdentity | undefined> {
  return request.headers['cookie'] === undefined ? undefined : services.authentication.sessions?.find(request)
}

function withLanguage(query: URLSearchParams, code: string): URLSearchParams {
  const changed = new URLSearchParams([...query].filter(([, value]) => value.length < 4_000).slice(0, 20))
  changed.set('language', code)
  return changed
}
