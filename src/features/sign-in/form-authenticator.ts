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
import { findCookie, formatCookie } from '../../rest/request/cookies.ts'
import type { SettingValues } from '../../settings/define-settings.ts'
import { goOnPage, throttledPage } from './pages/sign-in-page.ts'
import { choosePageLanguage } from './pages/sign-in-texts.ts'
import type { PasswordCheck } from './password-check.ts'
import { isScripted, parseRequestedUrl, redirectTo } from './requested-url.ts'
import type { signInSettings } from './settings.ts'

export const goOnScriptPath = 'sign-in/go-on.js'
const marker = 'form_submitted_marker'
const initialUrlCookie = 'sso.initial.url.request'

type SignInValues = SettingValues<typeof signInSettings>

export interface FormOptions {
  readonly values: SignInValues
  vendored(): VendorIdentifiers
  readonly checkPassword: PasswordCheck
}

/** Signs people in who post a form, and shows them the page with it (contract: security 2.5). */
export function createFormAuthenticator({ values, vendored, checkPassword }: FormOptions): Authenticator {
  const { loginUsernameKey: userNameField, loginPasswordKey: passwordField, productName, loginPage } = values
  const fragmentCookie = () => vendored()('platform.start.url.fragment')

  async function identify(request: CredentialRequest, principals: Parameters<PasswordCheck>[1]): Promise<Identity> {
    const form = await request.readForm()
    const name = form.get(userNameField)
    if (!name) return none
    const identity = await checkPassword(request, principals, { name, password: form.get(passwordField) ?? '' })
    if (identity.kind !== 'known') return identity
    return { ...identity, cookies: forgetTarget(request), answer: redirectTo(request, findTarget(request, form)) }
  }

  /** The page that was asked for, as the form, the address or a cookie says, with the fragment that only a script knew. */
  function findTarget(request: CredentialRequest, form: URLSearchParams): string {
    const { baseUrl } = request
    const saved = decoded(request.cookie(initialUrlCookie))
    const asked = form.get('requestedUrl') || request.query.get('requestedUrl') || saved
    const target = parseRequestedUrl(asked, baseUrl) ?? `${baseUrl}${values.startPage}`
    const fragment = decoded(request.cookie(fragmentCookie()))
    return fragment === undefined || target.includes('#') ? target : withFragment(target, fragment)
  }

  function forgetTarget(request: CredentialRequest): readonly string[] {
    const header = String(request.headers['cookie'] ?? '')
    const isSecure = request.baseUrl.startsWith('https:')
    return [fragmentCookie(), initialUrlCookie]
      .filter((name) => findCookie(header, name) !== undefined)
      .map((name) => formatCookie(name, '', { path: '', maxAgeSeconds: 0, isSecure, isForScripts: true }))
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
    const language = choosePageLanguage(undefined, request.headers['accept-language'])
    const scriptUrl = `${request.baseUrl}${goOnScriptPath}`
    const url = loginUrl(request, parameters)
    return goOnPage({ productName, language, loginUrl: url, scriptUrl, fragmentCookie: fragmentCookie() })
  }

  /** Only pages are worth coming back to: not what a page loads, nor what a worker of the browser does. */
  function findStartUrl({ method, serverPath, search, headers, query }: CredentialRequest): string | undefined {
    if (serverPath === '/login') return query.get('requestedUrl') ?? undefined
    const path = serverPath.slice(1)
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

/** Programs that name JSON get an exception entity. */
function prefersJson({ headers }: BrowserRequest): boolean {
  const accept = String(headers['accept'] ?? '')
  return /\bapplication\/json\b/i.test(accept) && !/\btext\/html\b/i.test(accept)
}

function decoded(value: string | undefined): string | undefined {
  if (value === undefined || value.length > maxStartUrl) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined // no page of ours wrote it
  }
}

function withFragment(url: string, fragment: string): string {
  const target = new URL(url)
  target.hash = fragment
  return target.href
}
