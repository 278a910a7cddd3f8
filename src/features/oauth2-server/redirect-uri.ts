// The address of a program to which a person's browser is sent back with a code. Whoever could choose it would be handed the code.

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/.*)?$/

/** Schemes that are no program but something that browsers show or run. */
const browserSchemes = new Set(['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:', 'filesystem:'])

/**
 * Whether a code may be sent there: over TLS, to a program on the person's own machine, or to one that has a scheme to itself
 * (security 4; RFC 8252). While a program is being developed, over plain HTTP to anywhere.
 */
export function isRedirectUri(uri: string, { devMode }: { readonly devMode: boolean }): boolean {
  // Registered addresses are stored with commas between; RFC 6749, 3.1.2 allows no fragment.
  if (uri.trim() === '' || /[\s,#]/.test(uri) || !URL.canParse(uri)) return false
  const { protocol } = new URL(uri)
  if (protocol === 'https:') return true
  if (protocol === 'http:') return devMode || loopback.test(uri)
  return !protocol.startsWith('http') && !browserSchemes.has(protocol)
}

/** The address with these parameters behind those that it has. */
export function withParameters(uri: string, parameters: { readonly [name: string]: string | undefined }): string {
  const added = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) added.append(name, value)
  const separator = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'
  return `${inAscii(uri)}${separator}${added}`
}

/** As a header can hold it. */
function inAscii(uri: string): string {
  return uri.toWellFormed().replace(/[^\x21-\x7e]/gu, encodeURIComponent)
}

/** How a content security policy names where a form may lead: the origin, or the scheme of a program that has one to itself. */
export function policySourceOf(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  // A policy cannot name an address of IPv6.
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin
}
