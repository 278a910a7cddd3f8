import { STATUS_CODES } from 'node:http'
import { escapeHtml } from '../../base/html/escape-html.ts'
import type { Answer, AnswerHeaders } from '../../rest/answer.ts'
import { pageAnswer, pageStyle } from '../../rest/page.ts'
import { bestLanguage, parseLocales } from '../../rest/request/accept-language.ts'
import type { ApiRequest } from '../../rest/request/request.ts'
import { policySourceOf } from './redirect-uri.ts'

const languages = ['en', 'fr'] as const
type PageLanguage = (typeof languages)[number]

export function languageOf({ headers }: Pick<ApiRequest, 'headers'>): PageLanguage {
  const sent = headers['accept-language']
  return bestLanguage(parseLocales(typeof sent === 'string' ? sent : undefined), languages, 'en')
}

/** What a person is asked. */
export interface ConsentQuestion {
  /** Where the form is sent. */
  readonly action: string
  readonly clientName: string
  readonly user: string
  /** The name that the person knows this server by. */
  readonly host: string
  readonly redirectUri: string
  /** Sent along with the answer. */
  readonly hidden: { readonly [name: string]: string | undefined }
}

interface ConsentTexts {
  readonly title: string
  question(client: string): string
  explanation(client: string, user: string, host: string): string
  /** What it may do. */
  readonly abilities: readonly string[]
  readonly until: string
  destination(place: string): string
  readonly allow: string
  readonly deny: string
}

const bold = (text: string) => `<b>${escapeHtml(text)}</b>`

const texts: { readonly [Language in PageLanguage]: ConsentTexts } = {
  en: {
    title: 'Allow access?',
    question: (client) => `Allow ${bold(client)} to act for you?`,
    explanation: (client, user, host) =>
      `${bold(client)} asks to use ${bold(host)} in your name. You are signed in as ${bold(user)}. If you allow it, it can:`,
    abilities: [
      'see the documents and files that you can see',
      'create, change and delete what you can create, change and delete',
    ],
    until: 'It can do so until you or an administrator revoke it. Your password is not passed on.',
    destination: (place) => `Whatever you choose, you are sent on to ${bold(place)}.`,
    allow: 'Allow',
    deny: 'Deny',
  },
  fr: {
    title: 'Autoriser l’accès ?',
    question: (client) => `Autoriser ${bold(client)} à agir en votre nom ?`,
    explanation: (client, user, host) =>
      `${bold(client)} demande à utiliser ${bold(host)} en votre nom. Vous êtes connecté en tant que ${bold(user)}. Si vous l’autorisez, cette application pourra :`,
    abilities: [
      'voir les documents et les fichiers que vous pouvez voir',
      'créer, modifier et supprimer ce que vous pouvez créer, modifier et supprimer',
    ],
    until: 'L’autorisation vaut jusqu’à ce que vous ou un administrateur la révoquiez. Votre mot de passe n’est pas transmis.',
    destination: (place) => `Quel que soit votre choix, vous serez redirigé vers ${bold(place)}.`,
    allow: 'Autoriser',
    deny: 'Refuser',
  },
}

const style = `${pageStyle}
body { max-width: 30rem; padding: clamp(1rem, 8vh, 6rem) 1.25rem 3rem; font-size: 16px; background: var(--soft) }
main { padding: 1.75rem; border: 1px solid var(--line); border-radius: 12px; background: light-dark(#fff, #14171c) }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; font-weight: 600 } h1 b { font-weight: 700 }
ul { margin: .75rem 0; padding-left: 1.25rem } li { margin: .25rem 0 }
.note { color: var(--dim); font-size: .9rem }
form { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem }
button { flex: 1 1 8rem; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer }
.allow { border: 1px solid transparent; background: light-dark(#0a5fc4, #4493f8); color: light-dark(#fff, #0b1017) }
.deny { border: 1px solid var(--line); background: transparent; color: inherit }
button:focus-visible { outline: 3px solid light-dark(#0969da, #58a6ff); outline-offset: 2px }`

export function consentPage(question: ConsentQuestion, language: PageLanguage): Answer {
  const { action, clientName, user, host, redirectUri, hidden } = question
  const said = texts[language]
  const fields = Object.entries(hidden).flatMap(([name, value]) =>
    value === undefined ? [] : [`<input type="hidden" name="${name}" value="${escapeHtml(value)}">`],
  )
  const body = `<main>
<h1>${said.question(clientName)}</h1>
<p>${said.explanation(clientName, user, host)}</p>
<ul>
${said.abilities.map((ability) => `<li>${ability}</li>`).join('\n')}
</ul>
<p class="note">${said.until} ${said.destination(placeOf(redirectUri))}</p>
<form method="post" action="${escapeHtml(action)}">
${fields.join('\n')}
<button class="allow" name="grant_access" value="1">${said.allow}</button>
<button class="deny" name="deny_access" value="1">${said.deny}</button>
</form>
</main>`
  const page = { title: said.title, body, style, hasForm: true, formLeadsTo: policySourceOf(redirectUri), language }
  return pageAnswer(page, { headers: pageHeaders })
}

/** The name of another server, or the scheme by which a program on the person's machine is known. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return /^https?:$/.test(protocol) ? host : protocol.slice(0, -1)
}

/** Why nothing is done, told to the person: the address that asked for it may be anybody's. */
export function errorPage(status: number, description: string, headers: AnswerHeaders = {}): Answer {
  const title = STATUS_CODES[status] ?? 'Error'
  const body = `<main>\n<h1>${escapeHtml(title)}</h1>\n<p role="alert">${escapeHtml(description)}</p>\n</main>`
  return pageAnswer({ title, body, style }, { status, headers: { ...pageHeaders, ...headers } })
}

/** Nobody keeps these pages, nobody shows them in their own, and what was asked for is told to nobody else. */
const pageHeaders: AnswerHeaders = {
  'Cache-Control': 'no-cache, no-store',
  Pragma: 'no-cache',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'X-Frame-Options': 'DENY',
  // Not no-referrer: with that, browsers send the form with Origin: null, which is refused.
  'Referrer-Policy': 'same-origin',
}
