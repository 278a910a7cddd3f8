import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { S3Refusal } from './refusal.ts'

// Signature Version 4, as the Amazon S3 API Reference describes it under "Authenticating Requests".

export interface Credentials {
  readonly accessKey: string
  readonly secret: string
  readonly region: string
}

const longestSkewMillis = 15 * 60_000

/** Gives the hash that the body must have; undefined when the sender did not say. @throws S3Refusal */
export function requireSigned(request: IncomingMessage, url: URL, credentials: Credentials): string | undefined {
  return url.searchParams.has('X-Amz-Signature')
    ? requirePresigned(request, url, credentials)
    : requireSignedHeader(request, url, credentials)
}

function requireSignedHeader(request: IncomingMessage, url: URL, credentials: Credentials): string | undefined {
  const given = /^AWS4-HMAC-SHA256 Credential=(\S+?), ?SignedHeaders=(\S+?), ?Signature=([0-9a-f]{64})$/.exec(
    request.headers.authorization ?? '',
  )
  if (given === null) throw new S3Refusal(403, 'AccessDenied', 'Anonymous access is forbidden.')
  const [, credential = '', signedHeaders = '', signature = ''] = given
  const time = header(request, 'x-amz-date')
  requireNear(time)
  const bodyHash = header(request, 'x-amz-content-sha256')
  requireSignature({ request, url, credentials, credential, signedHeaders, signature, time, bodyHash })
  if (bodyHash.startsWith('STREAMING-')) throw new S3Refusal(501, 'NotImplemented', 'Chunked signatures are not taken here.')
  return bodyHash === 'UNSIGNED-PAYLOAD' ? undefined : bodyHash
}

function requirePresigned(request: IncomingMessage, url: URL, credentials: Credentials): undefined {
  const of = (name: string) => url.searchParams.get(`X-Amz-${name}`) ?? ''
  const time = of('Date')
  if (millisOf(time) + Number(of('Expires')) * 1_000 < Date.now()) throw new S3Refusal(403, 'AccessDenied', 'Request has expired')
  requireSignature({
    request,
    url,
    credentials,
    credential: of('Credential'),
    signedHeaders: of('SignedHeaders'),
    signature: of('Signature'),
    time,
    bodyHash: 'UNSIGNED-PAYLOAD',
  })
}

interface SignedRequest {
  readonly request: IncomingMessage
  readonly url: URL
  readonly credentials: Credentials
  readonly credential: string
  readonly signedHeaders: string
  readonly signature: string
  readonly time: string
  readonly bodyHash: string
}

function requireSignature(signed: SignedRequest): void {
  const { credential, credentials, time, signature } = signed
  const [accessKey = '', date = '', region = '', service = '', end = ''] = credential.split('/')
  if (accessKey !== credentials.accessKey) throw new S3Refusal(403, 'InvalidAccessKeyId', 'The access key does not exist.')
  if (region !== credentials.region) throw new S3Refusal(400, 'AuthorizationHeaderMalformed', `The region ${region} is wrong.`)
  const text = ['AWS4-HMAC-SHA256', time, [date, region, service, end].join('/'), sha256(canonicalRequest(signed))].join('\n')
  const key = [date, region, service, end].reduce<string | Buffer>(hmac, `AWS4${credentials.secret}`)
  const expected = Buffer.from(hmac(key, text).toString('hex'))
  if (service !== 's3' || !timingSafeEqual(expected, Buffer.from(signature.padEnd(expected.length).slice(0, expected.length)))) {
    throw new S3Refusal(403, 'SignatureDoesNotMatch', 'The signature does not match.')
  }
}

function canonicalRequest({ request, url, signedHeaders, bodyHash }: SignedRequest): string {
  const headers = signedHeaders.split(';').map((name) => `${name}:${header(request, name).trim().replaceAll(/ +/g, ' ')}\n`)
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
  return [request.method, url.pathname, query.join('&'), headers.join(''), signedHeaders, bodyHash].join('\n')
}

/** As RFC 3986 has it: all but the unreserved characters. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
}

function header(request: IncomingMessage, name: string): string {
  return [request.headers[name] ?? ''].flat().join(',')
}

function requireNear(time: string): void {
  if (!(Math.abs(millisOf(time) - Date.now()) < longestSkewMillis)) {
    throw new S3Refusal(403, 'RequestTimeTooSkewed', 'The clocks are too far apart.')
  }
}

function millisOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)$/, '$1-$2-$3:$4:$5'))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
