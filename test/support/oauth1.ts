import { randomUUID } from 'node:crypto'
import { hmacSignature, percentEncode } from '../../src/features/oauth1/signature.ts'

export interface Signing {
  readonly key?: string
  readonly secret?: string
  readonly token?: string
  readonly tokenSecret?: string
  readonly at?: number
  readonly nonce?: string
  readonly more?: { readonly [name: string]: string }
}

/** The header of a consumer that signs a request as RFC 5849 says. */
export function signing(method: string, url: string, signed: Signing = {}): string {
  const {
    key = 'app',
    secret = 'app secret',
    token,
    tokenSecret = '',
    at = Date.now() / 1000,
    nonce = randomUUID(),
    more,
  } = signed
  const own = {
    oauth_consumer_key: key,
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(at)),
    oauth_nonce: nonce,
    oauth_version: '1.0',
    ...(token !== undefined && { oauth_token: token }),
    ...more,
  }
  const parameters = [...Object.entries(own), ...new URL(url).searchParams]
  const oauth_signature = hmacSignature({ method, url, parameters }, { consumerSecret: secret, tokenSecret })
  const parts = Object.entries({ ...own, oauth_signature }).map(([name, value]) => `${name}="${percentEncode(value)}"`)
  return `OAuth realm="any", ${parts.join(', ')}`
}
