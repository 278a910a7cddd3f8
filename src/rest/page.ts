import { hash } from 'node:crypto'
import { escapeHtml } from '../base/html/escape-html.ts'
import type { Answer, AnswerHeaders } from './answer.ts'

/** A page of our own, which brings everything with it. */
export interface HtmlPage {
  readonly title: string
  /** HTML. */
  readonly body: string
  readonly style: string
  readonly script?: string
  /** The address of a script of ours, where the page may have none in it. */
  readonly scriptUrl?: string
  /** True where the page has a form: it is sent to this server, and no other page shows it as its own. */
  readonly hasForm?: boolean
  /** Where else the answer to the form may send the browser on to, as a policy names it: some browsers hold it to that. */
  readonly formLeadsTo?: string
  /** Of the texts; English when absent. */
  readonly language?: string
}

interface PageOptions {
  readonly status?: number
  readonly headers?: AnswerHeaders
}

/** Its style and its script are known by their digests: whatever else got into the page would neither be shown nor run. */
export function pageAnswer(
  { title, body, style, script, scriptUrl, hasForm = false, formLeadsTo, language = 'en' }: HtmlPage,
  { status = 200, headers }: PageOptions = {},
): Answer {
  const policy = [
    "default-src 'none'",
    `style-src ${digestOf(style)}`,
    ...(script === undefined ? [] : [`script-src ${digestOf(script)}`]),
    ...(scriptUrl === undefined ? [] : ["script-src 'self'"]),
    "base-uri 'none'",
    ...(hasForm
      ? [['form-action', "'self'", formLeadsTo].filter(Boolean).join(' '), "frame-ancestors 'none'"]
      : ["form-action 'none'"]),
  ]
  const text = `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
${script === undefined ? '' : `<script>${script}</script>\n`}${scriptUrl === undefined ? '' : `<script src="${escapeHtml(scriptUrl)}"></script>\n`}</body>
</html>
`
  return {
    kind: 'text',
    status,
    contentType: 'text/html;charset=UTF-8',
    text,
    headers: { ...headers, 'Content-Security-Policy': policy.join('; ') },
  }
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** The colours and letters of all pages, light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; --line: light-dark(#d9dee5, #353b45); --soft: light-dark(#f5f7f9, #1d2128); --dim: light-dark(#5c6673, #9aa4b2) }
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { margin: 0 auto; max-width: 64rem; padding: 0 1.25rem 4rem; font: 15px/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
code, pre { font: 13px/1.5 ui-monospace, monospace }
pre { margin: .25rem 0; padding: .5rem .75rem; background: var(--soft); border-radius: 6px; overflow: auto }
pre.shell { white-space: pre-wrap; user-select: all; -webkit-user-select: all }
a { color: light-dark(#0969da, #58a6ff) }`

/** Text in which back-quotes mark code. */
export function renderCode(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
