import type { HttpSettings } from './http-settings.ts'

const contentSecurityPolicy =
  "img-src data: blob: *; default-src blob: *; script-src 'unsafe-inline' 'unsafe-eval' data: *; style-src 'unsafe-inline' *; font-src data: *"

/** The headers of every answer, errors included: names and values in turn (spec: security 9.4). */
export function defaultResponseHeaders(
  settings: Pick<HttpSettings, 'frameOptions' | 'referrerPolicy' | 'responseHeaders'>,
): readonly string[] {
  const defaults: { readonly [name: string]: string } = {
    'X-UA-Compatible': 'IE=10; IE=11',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'X-XSS-Protection': '1; mode=block',
    'X-Frame-Options': settings.frameOptions,
    'Referrer-Policy': settings.referrerPolicy,
    'Content-Security-Policy': contentSecurityPolicy,
  }
  const overrides = new Map(
    Object.entries(settings.responseHeaders).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  )
  const kept = Object.entries(defaults).filter(([name]) => !overrides.has(name.toLowerCase()))
  const replaced = [...overrides.values()].flatMap(({ name, value }) => (value === null ? [] : [[name, value] as const]))
  return [...kept, ...replaced].flat()
}

/** Adds headers to a list of names and values; what is there under the same name is replaced. */
export function mergeHeaders(headers: readonly string[], added: { readonly [name: string]: string }): string[] {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const merged: string[] = []
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    if (!names.has(name.toLowerCase())) merged.push(name, headers[index + 1] ?? '')
  }
  return merged.concat(...Object.entries(added))
}

const cachedPath = /^\/nxfile\/|\/@(?:blob|preview|rendition)(?:[/?;]|$)/
const yearSeconds = 31_536_000
const publicPath = /^\/(?:img|icons|js|scripts)\//

/** How a GET may be cached, by its path below the context root; undefined for what is never to be. */
export function cacheHeaders(path: string, search: string, nowMillis: number): { readonly [name: string]: string } | undefined {
  // As good as all requests are for entities, and this is asked for each.
  if (path.startsWith('/api/') && !path.includes('/@')) return undefined
  if (cachedPath.test(path)) {
    const maxAgeSeconds = /(?:^|&)changeToken=[^&]/.test(search) ? yearSeconds : 0
    return { 'Cache-Control': `private, max-age=${maxAgeSeconds}`, Expires: expiry(nowMillis, maxAgeSeconds) }
  }
  if (path.startsWith('/nxbigfile/')) return { 'Cache-Control': 'private' }
  if (publicPath.test(path)) return { 'Cache-Control': 'public, max-age=3600', Expires: expiry(nowMillis, 3600) }
  return undefined
}

function expiry(nowMillis: number, maxAgeSeconds: number): string {
  return new Date(nowMillis + maxAgeSeconds * 1000).toUTCString()
}
