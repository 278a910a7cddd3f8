import type { Answer } from '../../rest/answer.ts'
import type { BrowserRequest } from '../../rest/authenticator.ts'

const longest = 4_000

/**
 * The address that a person wanted to see, below the base URL; undefined for whatever leads elsewhere. An absolute one of the server's
 * own origin is taken for its path, as elements of browser UIs send the whole address of their page (contract: security 2.5).
 */
export function parseRequestedUrl(sent: string | null | undefined, baseUrl: string): string | undefined {
  if (!sent || sent.length > longest || !isPlain(sent)) return undefined
  const base = new URL(baseUrl)
  const asked = sent.startsWith(`${base.origin}/`) ? sent.slice(base.origin.length) : sent
  const [path = ''] = asked.split(/[?#]/, 1)
  if (/^[a-z][a-z0-9+.-]*:/i.test(asked) || path.includes('//') || asked.includes('\\')) return undefined
  const inside = path.startsWith(base.pathname) ? asked.slice(base.pathname.length) : asked.replace(/^\//, '')
  const found = URL.parse(`./${inside}`, base)
  const isBelow = found?.origin === base.origin && found.pathname.startsWith(base.pathname) && found.username === ''
  return isBelow ? found.href : undefined
}

/** Without what a browser drops from an address before it reads it, or what would end a header. */
function isPlain(text: string): boolean {
  return !/[\p{Cc}\s]/u.test(text) && text.isWellFormed()
}

/** Whether a script asks, which no redirection would lead anywhere. */
export function isScripted({ headers }: Pick<BrowserRequest, 'headers'>): boolean {
  return headers['x-requested-with'] === 'XMLHttpRequest'
}

/** Sends a browser there, and tells a script that it may go on. */
export function redirectTo(request: Pick<BrowserRequest, 'headers'>, url: string): Answer {
  if (isScripted(request)) return { kind: 'empty', status: 200, headers: uncached }
  return { kind: 'empty', status: 302, headers: { ...uncached, Location: url } }
}

const uncached = { 'Cache-Control': 'no-store' }

// What belongs to programs leads them nowhere, whatever its query says.
const programPath = /\/(?:api\/v|automation)/

/** Where somebody wanted to go who was let in by what the request itself brought. */
export function requestedAnswer(request: BrowserRequest): Answer | undefined {
  if (!request.search.includes('requestedUrl') || programPath.test(request.serverPath)) return undefined
  const url = parseRequestedUrl(request.query.get('requestedUrl'), request.baseUrl)
  return url === undefined ? undefined : redirectTo(request, url)
}
