import type { ServiceProvider } from './providers.ts'

/** Where the service sends users back to; it has to be registered there. */
export function callbackAddress(baseUrl: string, serviceName: string): string {
  return `${baseUrl.replace(/\/$/, '')}/site/oauth2/${encodeURIComponent(serviceName)}/callback`
}

/**
 * Where a user consents to what this server may do in the service; null when the service cannot be addressed. Parameters stand in an order
 * that clients compare: ours, and then those that the stored address has (security 3.4).
 */
export function authorizationAddress(
  { clientId, authorizationServerUrl, scopes }: Pick<ServiceProvider, 'clientId' | 'authorizationServerUrl' | 'scopes'>,
  redirectUri: string,
  state?: string,
): string | null {
  if (clientId === null || authorizationServerUrl === null || !isAddress(authorizationServerUrl)) return null
  const [place = '', ...rest] = authorizationServerUrl.split('#', 1)[0]?.split('?') ?? []
  const own: readonly (readonly [string, string])[] = [
    ['client_id', clientId],
    ['redirect_uri', redirectUri],
    ['response_type', 'code'],
    ...(scopes.length > 0 ? [['scope', scopes.join(' ')] as const] : []),
  ]
  const stored = [...new URLSearchParams(rest.join('?'))].filter(([name]) => !own.some(([taken]) => taken === name))
  const added = state === undefined ? [] : [['state', state] as const]
  return `${place}?${[...own, ...stored, ...added].map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')}`
}

/** Whether it is one that this server or a browser may be sent to. */
export function isAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** Clients compare addresses in which these stand as they are. */
const plain = /%(?:3A|2F|3F|40|24|2C|3B)/g

function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(plain, decodeURIComponent)
}
