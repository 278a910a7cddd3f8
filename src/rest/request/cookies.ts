/** The value of a cookie in a `Cookie` header. */
export function findCookie(cookieHeader: string | undefined, name: string): string | undefined {
  for (const pair of cookieHeader?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

export interface CookieAttributes {
  /** The context root; empty is the whole server. */
  readonly path: string
  /** Zero removes it; absent, it lives as long as the browser. */
  readonly maxAgeSeconds?: number
  /** Scripts of pages may read it. */
  readonly isForScripts?: true
  /** Sent over TLS only. */
  readonly isSecure: boolean
  readonly sameSite?: '' | 'Lax' | 'Strict' | 'None'
}

/** The value of `Set-Cookie`. What the value holds beside the letters of a cookie is the caller's mistake. */
export function formatCookie(name: string, value: string, attributes: CookieAttributes): string {
  const { path, maxAgeSeconds, isForScripts = false, isSecure, sameSite = '' } = attributes
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value))
    throw new Error(`The cookie ${name} cannot have such a value.`)
  return [
    `${name}=${value}`,
    `Path=${path === '' ? '/' : path}`,
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    ...(isForScripts ? [] : ['HttpOnly']),
    // Browsers refuse SameSite=None without Secure.
    ...(isSecure || sameSite === 'None' ? ['Secure'] : []),
    ...(sameSite === '' ? [] : [`SameSite=${sameSite}`]),
  ].join('; ')
}
