import { createHmac, createVerify } from 'node:crypto'
import { isSameText } from '../../base/same-text.ts'

/** A name and a value, decoded. A name may come several times. */
export type Oauth1Parameter = readonly [name: string, value: string]

/** What is signed of a request (RFC 5849, 3.4.1): everything but its signature and the realm. */
export interface SignedContent {
  readonly method: string
  /** With scheme and host as the client wrote them; what follows the question mark is among the parameters. */
  readonly url: string
  readonly parameters: readonly Oauth1Parameter[]
}

/** What the two sides share, or what the server knows of the key that only the client has. */
export interface SigningKeys {
  readonly consumerSecret: string
  /** Empty before there is a token. */
  readonly tokenSecret: string
  /** PEM, of a key or a certificate. */
  readonly publicKey?: string
}

export const signatureMethods = ['HMAC-SHA1', 'RSA-SHA1', 'PLAINTEXT'] as const
export type SignatureMethod = (typeof signatureMethods)[number]

/** Whether the signature is that of somebody who has the keys. A method for which there is no key has no valid signature. */
export function isSigned(method: SignatureMethod, signature: string, content: SignedContent, keys: SigningKeys): boolean {
  // Without a secret everybody could sign: no key is not the empty key.
  if (method !== 'RSA-SHA1' && keys.consumerSecret === '') return false
  switch (method) {
    case 'PLAINTEXT':
      return isSameText(signature, sharedKey(keys))
    case 'HMAC-SHA1':
      return isSameText(signature, hmacSignature(content, keys))
    case 'RSA-SHA1':
      return keys.publicKey !== undefined && isRsaSignature(signature, content, keys.publicKey)
  }
}

export function hmacSignature(content: SignedContent, keys: SigningKeys): string {
  return createHmac('sha1', sharedKey(keys)).update(signatureBase(content)).digest('base64')
}

function sharedKey({ consumerSecret, tokenSecret }: SigningKeys): string {
  return `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`
}

function isRsaSignature(signature: string, content: SignedContent, publicKey: string): boolean {
  try {
    return createVerify('RSA-SHA1').update(signatureBase(content)).verify(publicKey, signature, 'base64')
  } catch {
    // Node throws for a key that is none: whoever registered it cannot sign with it.
    return false
  }
}

/** The text that is signed: method, address and sorted parameters (RFC 5849, 3.4.1.1). */
export function signatureBase({ method, url, parameters }: SignedContent): string {
  return [method.toUpperCase(), baseAddress(url), normalised(parameters)].map(percentEncode).join('&')
}

/** Scheme and host in lower case, without the port that goes without saying; the path as it was sent, and no query. */
function baseAddress(url: string): string {
  const [, server = '', path = ''] = /^([^:]+:\/\/[^/?#]+)([^?#]*)/.exec(url) ?? []
  return `${new URL(server).origin}${path || '/'}`
}

/** By name and then value, compared as they are encoded (RFC 5849, 3.4.1.3.2). */
function normalised(parameters: readonly Oauth1Parameter[]): string {
  return parameters
    .filter(([name]) => name !== 'oauth_signature')
    .map(([name, value]): Oauth1Parameter => [percentEncode(name), percentEncode(value)])
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** All but letters, digits and `-._~` (RFC 5849, 3.6). What is no text (half of a surrogate pair) is encoded as U+FFFD. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
