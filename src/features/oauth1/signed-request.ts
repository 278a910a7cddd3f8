import type { CredentialRequest } from '../../rest/authenticator.ts'
import { type Oauth1Parameter, type SignatureMethod, type SignedContent, signatureMethods } from './signature.ts'

/** A request that somebody has signed, or says so: nothing is believed of it yet. */
export interface SignedRequest {
  readonly content: SignedContent
  readonly consumerKey: string
  /** Empty where there is none. */
  readonly token: string
  readonly method: SignatureMethod
  readonly signature: string
  /** Seconds. */
  readonly timestamp: number
  readonly nonce: string
}

export interface SentToOauth1
  extends Pick<CredentialRequest, 'method' | 'basePath' | 'serverPath' | 'search' | 'query' | 'headers' | 'baseUrl'> {}

/** A request of a resource takes a few; what is signed is sorted, and anybody may send it. */
const maxParameters = 1_000
const maxTextLength = 2_048

export function isOauth1Request({ headers, search }: Pick<SentToOauth1, 'headers' | 'search'>): boolean {
  return /\bOAuth\b/i.test(String(headers['authorization'] ?? '').slice(0, 20)) || search.includes('oauth_signature')
}

/** Undefined for what lacks a part, has one twice, or has one that is none (RFC 5849, 3.2). */
export function parseSignedRequest(request: SentToOauth1, form: URLSearchParams): SignedRequest | undefined {
  const ofHeader = parseAuthorization(request.headers['authorization'])
  if (ofHeader === undefined) return undefined
  const parameters: readonly Oauth1Parameter[] = [...ofHeader, ...request.query, ...form]
  const own = parameters.filter(([name]) => name.startsWith('oauth_'))
  const found = new Map(own)
  if (parameters.length > maxParameters || found.size !== own.length) return undefined
  const text = (name: string) => found.get(name) ?? ''
  const method = signatureMethods.find((one) => one === text('oauth_signature_method'))
  const isWhole = ['oauth_consumer_key', 'oauth_signature', 'oauth_nonce'].every((name) => isLine(text(name)))
  const isOfVersion = (found.get('oauth_version') ?? '1.0') === '1.0'
  if (!isWhole || !isOfVersion || method === undefined || !/^\d{1,12}$/.test(text('oauth_timestamp'))) return undefined
  return {
    content: { method: request.method, url: addressOf(request), parameters },
    consumerKey: text('oauth_consumer_key'),
    token: text('oauth_token'),
    method,
    signature: text('oauth_signature'),
    timestamp: Number(text('oauth_timestamp')),
    nonce: text('oauth_nonce'),
  }
}

function isLine(text: string): boolean {
  return text !== '' && text.length <= maxTextLength
}

/** As the client wrote it, and as proxies say that it did. */
function addressOf({ baseUrl, basePath, serverPath }: SentToOauth1): string {
  return `${new URL(baseUrl).origin}${basePath}${serverPath}`
}

/** Without the realm, which is not signed; undefined for a header that is malformed. No header has no parameters. */
function parseAuthorization(header: string | readonly string[] | undefined): readonly Oauth1Parameter[] | undefined {
  if (typeof header !== 'string' || !/^OAuth\s/i.test(header)) return []
  const parameters: Oauth1Parameter[] = []
  for (const part of header.slice('OAuth '.length).split(',')) {
    const [, name, value] = /^\s*([^\s="]+)\s*=\s*"([^"]*)"\s*$/.exec(part) ?? []
    if (name === undefined || value === undefined) return undefined
    const decoded = decode(name, value)
    if (decoded === undefined) return undefined
    if (decoded[0].toLowerCase() !== 'realm') parameters.push(decoded)
  }
  return parameters
}

function decode(name: string, value: string): Oauth1Parameter | undefined {
  try {
    return [decodeURIComponent(name), decodeURIComponent(value)]
  } catch {
    return undefined
  }
}
