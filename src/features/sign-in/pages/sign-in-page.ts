import { escapeHtml } from '../../../base/html/escape-html.ts'
import type { Answer, AnswerHeaders } from '../../../rest/answer.ts'
import { type HtmlPage, pageAnswer, pageStyle } from '../../../rest/page.ts'
import { type PageLanguage, signInTexts } from './sign-in-texts.ts'

/** What all pages show. */
interface PageFrame {
  readonly productName: string
  readonly language: PageLanguage
}

export interface SignInForm extends PageFrame {
  /** Names of the fields, as the deployment has them. */
  readonly userNameField: string
  readonly passwordField: string
  /** What was typed before. */
  readonly userName: string
  /** Sent along as they came. */
  readonly hidden: { readonly [field: string]: string }
  /** Why it is shown again, in the language of the page. */
  readonly problem: string | undefined
  /** Ways to sign in elsewhere. */
  readonly links: readonly { readonly label: string; readonly url: string }[]
  /** The same page in other languages. */
  readonly languages: readonly { readonly name: string; readonly code: string; readonly url: string }[]
  /** Where sign-in leads on to outside of this server, as a policy names it. */
  readonly formLeadsTo: string | undefined
}

/** The page at which people sign in. Browser suites look its fields up by their ids and names (contract: security 2.5). */
export function signInPage(form: SignInForm): Answer {
  const { language, problem, links, userName } = form
  const texts = signInTexts[language]
  const body = `<form method="post" action="startup">
${problem === undefined ? '' : told(problem)}
<label for="username">${texts.userName}</label>
<input type="text" id="username" name="${escapeHtml(form.userNameField)}" value="${escapeHtml(userName)}" autocomplete="username" autocapitalize="none" autocorrect="off" spellcheck="false"${userName === '' ? ' autofocus' : ''}>
<label for="password">${texts.password}</label>
<input type="password" id="password" name="${escapeHtml(form.passwordField)}" autocomplete="current-password"${userName === '' ? '' : ' autofocus'}>
${hiddenFields({ ...form.hidden, language, form_submitted_marker: '' })}
<button type="submit" name="Submit" value="${texts.signIn}">${texts.signIn}</button>
</form>
${links.length === 0 ? '' : `<p class="other">${texts.otherWays}</p>\n<ul class="ways">${links.map(renderLink).join('')}</ul>`}
<p class="languages">${form.languages.map((one) => renderLanguage(one, language)).join('')}</p>`
  return framed({ ...form, title: texts.signIn, body, hasForm: true })
}

function hiddenFields(fields: SignInForm['hidden']): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('\n')
}

function renderLink({ label, url }: SignInForm['links'][number]): string {
  return `<li><a class="button" href="${escapeHtml(url)}">${escapeHtml(label)}</a></li>`
}

function renderLanguage({ name, code, url }: SignInForm['languages'][number], current: PageLanguage): string {
  if (code === current) return `<span lang="${code}" aria-current="true">${name}</span>`
  return `<a lang="${code}" hreflang="${code}" href="${escapeHtml(url)}">${name}</a>`
}

/** Too many guesses: told with the time to wait. */
export function throttledPage(frame: PageFrame & { readonly retryAfterSeconds: number; readonly loginUrl: string }): Answer {
  const texts = signInTexts[frame.language]
  const body = `${told(texts.throttled(frame.retryAfterSeconds))}
<p><a href="${escapeHtml(frame.loginUrl)}">${texts.back}</a></p>`
  const headers = { 'Retry-After': String(frame.retryAfterSeconds) }
  return framed({ ...frame, title: texts.signIn, body }, { status: 429, headers })
}

/**
 * Stands where a page was asked for by somebody who has not signed in. Only a script knows the fragment of the address, which it leaves
 * in a cookie; without scripts the browser goes on by itself, and the fragment is lost.
 */
export function goOnPage(
  frame: PageFrame & { readonly loginUrl: string; readonly scriptUrl: string; readonly fragmentCookie: string },
): Answer {
  const texts = signInTexts[frame.language]
  const body = `<p id="go-on" data-cookie="${escapeHtml(frame.fragmentCookie)}"><a href="${escapeHtml(frame.loginUrl)}">${texts.goOn}</a></p>
<noscript><meta http-equiv="refresh" content="0; url=${escapeHtml(frame.loginUrl)}"></noscript>`
  return framed({ ...frame, title: texts.signIn, body }, { status: 401 })
}

/** Keeps what stands behind the `#` of the address for the way back, and goes on to sign in. */
export const goOnScript = `'use strict'
{
  const place = document.getElementById('go-on')
  const fragment = encodeURIComponent(location.hash.slice(1))
  document.cookie = place.dataset.cookie + '=' + fragment + '; path=/; samesite=lax' + (fragment === '' ? '; max-age=0' : '')
  location.replace(place.firstElementChild.href)
}
`

export function homePage(
  frame: PageFrame & {
    readonly user: string | undefined
    readonly links: { readonly [name in 'login' | 'logout' | 'api']: string }
  },
): Answer {
  const texts = signInTexts[frame.language]
  const { user, links } = frame
  const who =
    user === undefined
      ? `<p><a class="button" href="${escapeHtml(links.login)}">${texts.signIn}</a></p>`
      : `<p>${texts.signedInAs} <b>${escapeHtml(user)}</b></p>
<p><a class="button" href="${escapeHtml(links.logout)}">${texts.signOut}</a></p>`
  const body = `<p>${texts.running}</p>
${who}
<p class="other"><a href="${escapeHtml(links.api)}">${texts.documentation}</a></p>`
  return framed({ ...frame, title: '', body })
}

function told(problem: string): string {
  return `<p class="problem" role="alert">${escapeHtml(problem)}</p>`
}

function framed(
  page: PageFrame & Omit<HtmlPage, 'style' | 'formLeadsTo'> & { readonly formLeadsTo?: string | undefined },
  { status = 200, headers = {} }: { status?: number; headers?: AnswerHeaders } = {},
): Answer {
  const { productName, title, body, language } = page
  const { hasForm, formLeadsTo, scriptUrl } = page
  const content = `<main>
<h1>${escapeHtml(productName)}</h1>
${body}
</main>`
  return pageAnswer(
    {
      title: title === '' ? productName : `${title} · ${productName}`,
      style,
      language,
      body: content,
      ...(hasForm !== undefined && { hasForm }),
      ...(formLeadsTo !== undefined && { formLeadsTo }),
      ...(scriptUrl !== undefined && { scriptUrl }),
    },
    {
      status,
      headers: {
        'Cache-Control': 'no-store',
        'X-Frame-Options': 'DENY',
        // Not no-referrer: with that, browsers send the form with Origin: null, which is refused.
        'Referrer-Policy': 'same-origin',
        ...headers,
      },
    },
  )
}

const style = `${pageStyle}
:root { --accent: light-dark(#0b57d0, #a8c7fa); --on-accent: light-dark(#ffffff, #062e6f); --wrong: light-dark(#b3261e, #f2b8b5) }
html { height: 100%; background: var(--soft) }
body { display: grid; min-height: 100%; place-items: center; max-width: none; padding: 1.5rem 1rem; font-size: 16px }
main { width: 100%; max-width: 24rem; padding: 2.25rem 2rem 1.5rem; background: light-dark(#ffffff, #14171c); border: 1px solid var(--line); border-radius: 16px; box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px rgb(0 0 0 / .08) }
h1 { margin: 0 0 1.5rem; font-size: 1.75rem; line-height: 1.2; font-weight: 650; letter-spacing: -.02em; text-align: center }
form { display: grid }
label { margin: 0 0 .35rem; font-size: .9rem; font-weight: 550 }
input { width: 100%; margin: 0 0 1.1rem; padding: .65rem .75rem; font: inherit; color: inherit; background: light-dark(#ffffff, #1d2128); border: 1px solid light-dark(#8a929e, #6b7482); border-radius: 8px }
button, .button { display: block; width: 100%; margin: .35rem 0 0; padding: .7rem 1rem; font: inherit; font-weight: 600; text-align: center; text-decoration: none; color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: 8px; cursor: pointer }
button:hover, .button:hover { filter: brightness(1.08) }
:is(input, button, a):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.problem { margin: 0 0 1.25rem; padding: .7rem .85rem; color: var(--wrong); background: light-dark(#fceeee, #2d1a19); border-radius: 8px; font-size: .95rem }
.other, .languages { margin: 1.25rem 0 0; font-size: .875rem; text-align: center; color: var(--dim) }
.languages > * { padding: .4rem .5rem; display: inline-block }
.ways { display: grid; gap: .5rem; margin: .5rem 0 0; padding: 0; list-style: none }
.ways .button { color: inherit; background: transparent; border-color: light-dark(#8a929e, #6b7482) }
@media (max-width: 30rem) { body { padding: 0; place-items: start stretch } html { background: light-dark(#ffffff, #14171c) } main { max-width: none; border: 0; border-radius: 0; box-shadow: none; padding: 3rem 1.25rem } }`
