import { escapeHtml } from '../../base/html/escape-html.ts'
import { Problem } from '../../base/problem.ts'
import { readPresentHolder } from '../../rest/account.ts'
import type { Answer } from '../../rest/answer.ts'
import { bytesAnswer } from '../../rest/openapi/answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { pageAnswer, pageStyle } from '../../rest/page.ts'
import { bestLanguage, parseLocales } from '../../rest/request/accept-language.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import type { Route } from '../../rest/route.ts'
import { callbackAddress } from './authorization-address.ts'
import type { CallbackStates } from './callback-state.ts'
import { exchangeCode } from './provider-tokens.ts'
import { isAvailable, readProvider } from './providers.ts'

const scriptPath = 'site/oauth2/callback.js'
const text = (description: string) => Type.Optional(Type.String({ description }))
const maxCodeLength = 4_000

/** Where a service sends users back to, in a window that a page of ours has opened (security 3.5). */
export function callbackRoutes(states: CallbackStates, { millis }: { readonly millis: number }): readonly Route[] {
  async function exchange(current: Exchange, serviceName: string): Promise<string | undefined> {
    const { directories, principal, request } = current
    const provider = await directories.read((session) => readProvider(session, serviceName))
    if (!isAvailable(provider) || principal.isAnonymous) return undefined
    const { query } = request
    const [error, code, state] = [query.get('error')?.trim(), query.get('code')?.trim(), query.get('state')]
    if (error || !code || code.length > maxCodeLength) return undefined
    const holder = await readPresentHolder(current)
    if (!(await states.isOwn(state, serviceName, principal.name))) return undefined
    const answered = { code, redirectUri: callbackAddress(request.baseUrl, serviceName), holder }
    const token = await exchangeCode(directories, provider, answered, { millis })
    return token.accessToken ?? undefined
  }

  const callback: Route = {
    method: 'GET',
    path: '/site/oauth2/{providerId}/callback',
    operationId: 'receiveOAuth2Code',
    under: 'server',
    summary: 'Where a service sends users back to; tells the page that opened the window, and closes it',
    query: Type.Object({
      code: Type.String({ description: 'What the service gives the user to bring' }),
      error: text('Why it gave none'),
      state: text('What it was sent'),
    }),
    answers: { 200: bytesAnswer('the page', 'text/html'), 404: 'there is no such service' },
    async handle(current, { providerId = '' }) {
      const token = await exchange(current, providerId).catch((error: unknown) => {
        // What the service says is for the log; the person can only try again.
        if (!(error instanceof Problem) || error.kind !== 'badGateway') throw error
        current.repository.log.warn(
          { event: 'oauth2.exchange', service: providerId.slice(0, 100), err: error },
          'no token was given',
        )
        return undefined
      })
      return callbackPage(current, token)
    },
  }

  return [callback, script]
}

const texts = {
  en: {
    granted: ['Access granted', 'You can close this window.'],
    failed: ['Authorization request failed', 'Nothing was changed. Close this window and try again.'],
  },
  fr: {
    granted: ['Accès accordé', 'Vous pouvez fermer cette fenêtre.'],
    failed: ['Authorization request failed', 'La demande d’autorisation a échoué. Fermez cette fenêtre et réessayez.'],
  },
} as const

const style = `${pageStyle}
body { max-width: 30rem; padding-top: clamp(1rem, 12vh, 8rem); font-size: 16px; text-align: center }
h1 { font-size: 1.35rem }`

/** The page that opened the window reads the token from a message; only pages of this server are told. */
function callbackPage({ request }: Exchange, token: string | undefined): Answer {
  const accepted = request.headers['accept-language']
  const language = bestLanguage(parseLocales(typeof accepted === 'string' ? accepted : undefined), ['en', 'fr'], 'en')
  const [title, sentence] = texts[language][token === undefined ? 'failed' : 'granted']
  const message = JSON.stringify({ token: token ?? '' })
  const body = `<main data-message="${escapeHtml(message)}">
<h1>${title}</h1>
<p role="status">${sentence}</p>
</main>`
  const headers = { 'Cache-Control': 'no-store', 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'no-referrer' }
  return pageAnswer({ title, body, style, language, scriptUrl: `${request.baseUrl}${scriptPath}` }, { headers })
}

const script: Route = {
  method: 'GET',
  path: `/${scriptPath}`,
  under: 'server',
  isPublic: true,
  isUndocumented: true,
  summary: 'The script of that page',
  answers: { 200: bytesAnswer('the script', 'text/javascript') },
  handle: async () => ({
    kind: 'text',
    status: 200,
    contentType: 'text/javascript;charset=UTF-8',
    text: `const { message } = document.querySelector('main').dataset
if (window.opener !== null) window.opener.postMessage(message, window.location.origin)
window.close()
`,
  }),
}
