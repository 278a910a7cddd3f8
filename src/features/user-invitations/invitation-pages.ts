import { escapeHtml } from '../../base/escape-html.ts'
import type { Answer } from '../../rest/answer.ts'

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

export function renderPasswordForm({ action, configuration, key, login, refusal }: PasswordForm): string {
  return renderPage(
    'Choose a password',
    `<p>You were invited as <b>${escapeHtml(login)}</b>. With the password that you choose here you can sign in.</p>
${refusal === undefined ? '' : `<p class="refusal" role="alert">${escapeHtml(refusal)}</p>`}
<form method="post" action="${escapeHtml(action)}">
<input type="hidden" name="RequestId" value="${escapeHtml(key)}">
<input type="hidden" name="ConfigurationName" value="${escapeHtml(configuration)}">
<input type="hidden" autocomplete="username" value="${escapeHtml(login)}">
<label>Password <input type="password" name="Password" autocomplete="new-password" required autofocus></label>
<label>The same again <input type="password" name="PasswordConfirmation" autocomplete="new-password" required></label>
<button>Create my account</button>
</form>`,
  )
}

export function renderWelcome({ login, home }: { readonly login: string; readonly home: string }): string {
  return renderPage(
    'Your account is ready',
    `<p>Sign in as <b>${escapeHtml(login)}</b> with the password that you chose: <a href="${escapeHtml(home)}">${escapeHtml(home)}</a></p>`,
  )
}

export function renderRefusal(message: string): string {
  return renderPage('That did not work', `<p class="refusal" role="alert">${escapeHtml(message)}</p>`)
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:28rem;margin:4rem auto;padding:0 1rem}
label{display:block;margin:1rem 0}input[type=password]{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.4rem}
button{font:inherit;padding:.4rem 1rem}.refusal{border-left:.25rem solid #b00020;padding-left:.75rem}`

function renderPage(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${content}
</body>
</html>
`
}

/** The address of the page holds the key, so it is told to nobody, and no copy of the page is kept. */
export function pageAnswer(page: string, status = 200): Answer {
  return {
    kind: 'text',
    status,
    contentType: 'text/html;charset=UTF-8',
    text: page,
    headers: {
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
      'X-Frame-Options': 'DENY',
      // Not no-referrer: with that, browsers send the form with Origin: null, which is refused.
      'Referrer-Policy': 'same-origin',
    },
  }
}
