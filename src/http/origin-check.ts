import type { CorsPolicy } from './cors.ts'
import { isSameOrigin, type Origin, parseOrigin } from './origin.ts'

/** Where a request comes from, as its `Origin` or else its `Referer` tells. */
export type RequestSource =
  | { readonly kind: 'unknown' }
  /** `Origin: null`: the browser hides it, so nothing is like it. */
  | { readonly kind: 'hidden' }
  | { readonly kind: 'known'; readonly origin: Origin }

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const extensionSchemes = new Set(['moz-extension', 'chrome-extension'])

export function isSafeMethod(method: string): boolean {
  return safeMethods.has(method)
}

export function parseSource(origin: string | undefined, referer: string | undefined, allowNullOrigin: boolean): RequestSource {
  const text = origin?.trim() || referer?.trim() || ''
  if (text === 'null') return { kind: allowNullOrigin ? 'unknown' : 'hidden' }
  const [first = ''] = text.split(' ', 1)
  const parsed = parseOrigin(first)
  return parsed === undefined ? { kind: 'unknown' } : { kind: 'known', origin: parsed }
}

export function isBrowserExtension(source: RequestSource): boolean {
  return source.kind === 'known' && extensionSchemes.has(source.origin.scheme)
}

/** The table of security 8.2: whether a request may have been meant by the person whose browser sends it. */
export function isFromFriendlyOrigin(
  method: string,
  source: RequestSource,
  target: Origin | undefined,
  cors: CorsPolicy | undefined,
): boolean {
  if (isSafeMethod(method)) return true
  if (source.kind === 'unknown' || target === undefined) return true
  if (isBrowserExtension(source)) return true
  if (source.kind === 'known' && isSameOrigin(source.origin, target)) return true
  return source.kind === 'known' && cors !== undefined && cors.allowsOrigin(source.origin) && cors.supportsMethod(method)
}
