import type { VendorIdentifiers } from '../../base/vendor.ts'
import type { Answer } from '../../rest/answer.ts'
import type {
  Authenticator,
  BrowserRequest,
  CredentialRequest,
  Identity,
  Prompt,
  SignInFailure,
} from '../../rest/authenticator.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { goOnPage, throttledPage } from './pages/sign-in-page.ts'
import { choosePageLanguage } from './pages/sign-in-texts.ts'
import type { PasswordCheck } from './passwords/password-check.ts'
import { isScripted, redirectTo } from './requested-url.ts'
import { hasSessionCookie } from './sessions/session-keeper.ts'
import type { signInSettings } from './settings.ts'
import { createWayBack } from './way-back.ts'

export const goOnScriptPath = 'sign-in/go-on.js'
const marker = 'form_submitted_marker'

type SignInValues = SettingValues<typeof signInSettings>

export interface FormOptions {
  readonly values: SignInValues
  vendored(): VendorIdentifiers
  readonly checkPassword: PasswordCheck
}

/** Signs people in who post a form, and shows them the page with it (contract: security 2.5). */
export function createFormAuthenticator({ values, vendored, checkPassword }: FormOptions): Authenticator {
  const { loginUsernameKey: userNameField, loginPasswordKey: passwordField, productName, loginPage, startPage } = values
  const wayBack = createWayBack(() => values, vendored)

  async function identify(request: CredentialRequest, principals: Parameters<PasswordCheck>[1]): Promise<Identity> {
    const form = await request.readForm()
    const name = form.get(userNameField)
    if (!name) return none
    const identity = await checkPassword(request, principals, { name, password: form.get(passwordField) ?? '' })
    if (identity.kind !== 'known') return identity
    const asked = form.get('requestedUrl') || request.query.get('requestedUrl')
    return { ...identity, cookies: wayBack.forget(request), answer: redirectTo(request, wayBack.find(request, asked)) }
  }

  async function prompt(request: CredentialRequest, failure: SignInFailure): Promise<Prompt | undefined> {
    const form = await request.readForm()
    if (form.has(userNameField) || form.has(marker)) return { kind: 'page', answer: afterForm(request, form, failure) }
    if (failure.kind === 'throttled' || failure.kind === 'uncheckable' || prefersJson(request)) return undefined
    return { kind: 'page', answer: askToSignIn(request) }
  }

  function afterForm(request: CredentialRequest, form: URLSearchParams, failure: SignInFailure): Answer {
    if (failure.kind === 'throttled') {
      const language = choosePageLanguage(form.get('language'), request.headers['accept-language'])
      const { retryAfterSeconds } = failure
      return throttledPage({ productName, language, retryAfterSeconds, loginUrl: loginUrl(request, echoed(request, form)) })
    }
    const why =
      failure.kind === 'uncheckable'
        ? { connectionFailed: 'true', loginFailed: 'true' }
        : form.get(userNameField)
          ? { loginFailed: 'true' }
          : { loginMissing: 'true' }
    const parameters = echoed(request, form)
    for (const [name, value] of Object.entries(why)) parameters.set(name, value)
    const url = loginUrl(request, parameters)
    return isScripted(request) ? { kind: 'empty', status: 401 } : redirectTo(request, url)
  }

  /** What was sent comes back, but for the password and for what is too long for an address. */
  function echoed({ query }: CredentialRequest, form: URLSearchParams): URLSearchParams {
    const kept = new URLSearchParams()
    for (const [name, value] of [...query, ...form]) {
      if (withheld.has(name) || name === passwordField || kept.size >= maxEchoed) continue
      if (name.length + value.length <= maxEchoedLength) kept.set(name, value)
    }
    return kept
  }

  function askToSignIn(request: CredentialRequest): Answer {
    const parameters = new URLSearchParams()
    const requestedUrl = findStartUrl(request)
    if (requestedUrl !== undefined) parameters.set('requestedUrl', requestedUrl)
    if (request.query.get('securityError') === 'true') parameters.set('securityError', 'true')
    // Signing out takes the cookie away: who still has one was signed in until the time was over, or somebody ended it.
    if (hasSessionCookie(request)) parameters.set('nxtimeout', 'true')
    const url = loginUrl(request, parameters)
    // The start page has nothing behind a `#`, and a 401 would be an error in the console of every browser that begins there.
    if (leadsToStartPage(request)) return redirectTo(request, url)
    const language = choosePageLanguage(undefined, request.headers['accept-language'])
    const scriptUrl = `${request.baseUrl}${goOnScriptPath}`
    return goOnPage({ productName, language, loginUrl: url, scriptUrl, fragmentCookie: wayBack.fragmentCookie() })
  }

  function leadsToStartPage(request: CredentialRequest): boolean {
    const { method, serverPath, headers } = request
    const isBrowser = /\btext\/html\b/i.test(String(headers['accept'] ?? '')) && !isScripted(request)
    return method === 'GET' && isBrowser && isBelow(startPage, serverPath.slice(1))
  }

  /** Only pages are worth coming back to: not what a page loads, nor what a worker of the browser does. */
  function findStartUrl({ method, serverPath, search, headers, query }: CredentialRequest): string | undefined {
    const path = serverPath.slice(1)
    // Who signed out was sent to the start page with what they had asked for.
    const isPassedOn = serverPath === '/login' || (isBelow(startPage, path) && query.has('requestedUrl'))
    if (isPassedOn) return query.get('requestedUrl') ?? undefined
    const isStart = values.startUrlPrefixes.some((prefix) => path.startsWith(prefix))
    if (method !== 'GET' || !isStart || headers['service-worker'] !== undefined) return undefined
    const url = search === '' ? path : `${path}?${search}`
    return url.length <= maxStartUrl ? url : undefined
  }

  function loginUrl({ baseUrl }: BrowserRequest, parameters: URLSearchParams): string {
    return `${baseUrl}${loginPage}${parameters.size === 0 ? '' : `?${parameters}`}`
  }

  return {
    name: 'FORM_AUTH',
    isStateful: true,
    identify: (request, principals) => (request.method === 'POST' ? identify(request, principals) : none),
    isSignIn: ({ method, serverPath }) => method === 'POST' && serverPath === '/startup',
    prompt,
  }
}

const none: Identity = { kind: 'none' }
const withheld = new Set(['csrf-token', 'loginFailed', 'loginMissing', 'connectionFailed', 'nxtimeout', 'securityError'])
const maxEchoed = 20
const maxEchoedLength = 4_000
const maxStartUrl = 4_000

/** Whether a path is that of a page or, if that ends with a slash, below it. */
function isBelow(page: string, path: string): boolean {
  return path === page || (page.endsWith('/') && (path === page.slice(0, -1) || path.startsWith(page)))
}

/** Programs that name JSON get an exception entity. */
function prefersJson({ headers }: BrowserRequest): boolean {
  const accept = String(headers['accept'] ?? '')
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}
