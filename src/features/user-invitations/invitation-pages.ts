import { escapeHtml } from '../../base/html/escape-html.ts'
import type { Answer } from '../../rest/answer.ts'
import { type HtmlPage, pageAnswer, pageStyle } from '../../rest/page.ts'

/** What the form asks a password for. */
export interface PasswordForm {
  /** Where it is sent. */
  readonly action: string
  readonly configuration: string
  readonly key: string
  readonly login: string
  /** Why it is shown again. */
  readonly refusal?: string
}

export function passwordForm({ action, configuration, key, login, refusal }: PasswordForm, status?: number): Answer {
  const body = `<p>You were invited as <b>${escapeHtml(login)}</b>. With the password that you choose here you can sign in.</p>
${refusal === undefined ? '' : told(refusal)}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="RequestId" value="${escapeHtml(key)}">
<input type="hidden" name="ConfigurationName" value="${escapeHtml(configuration)}">
<input type="hidden" autocomplete="username" value="${escapeHtml(login)}">
<label>Password <input type="password" name="Password" autocomplete="new-password" required autofocus></label>
<label>The same again <input type="password" name="PasswordConfirmation" autocomplete="new-password" required></label>
<button>Create my account</button>
</form>`
  return invitationPage({ title: 'Choose a password', body, hasForm: true }, status)
}

export function welcome({ login, home }: { readonly login: string; readonly home: string }): Answer {
  const body = `<p>Sign in as <b>${escapeHtml(login)}</b> with the password that you chose: <a href="${escapeHtml(home)}">${escapeHtml(home)}</a></p>`
  return invitationPage({ title: 'Your account is ready', body })
}

export function refusal(message: string, status: number): Answer {
  return invitationPage({ title: 'That did not work', body: told(message) }, status)
}

function told(refusal: string): string {
  return `<p class="refusal" role="alert">${escapeHtml(refusal)}</p>`
}

const style = `${pageStyle}
body { max-width: 28rem; padding-top: 4rem; font-size: 16px } label { display: block; margin: 1rem 0 }
input[type=password] { display: block; width: 100%; font: inherit; padding: .4rem } button { font: inherit; padding: .4rem 1rem }
.refusal { border-left: .25rem solid light-dark(#b00020, #ff8a80); padding-left: .75rem }`

/** The address of the page holds the key, so it is sent to no other server, and the page is not cached. */
function invitationPage({ title, body, ...page }: Omit<HtmlPage, 'style'>, status = 200): Answer {
  return pageAnswer(
    { ...page, title, style, body: `<h1>${escapeHtml(title)}</h1>\n${body}` },
    {
      status,
      headers: {
        'Cache-Control': 'no-store',
        'X-Frame-Options': 'DENY',
        // Not no-referrer: with that, browsers send the form with Origin: null, which is refused.
        'Referrer-Policy': 'same-origin',
      },
    },
  )
}
