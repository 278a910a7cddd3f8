import { Buffer } from 'node:buffer'
import type { BlobValue } from '../model/property.ts'
import type { AnswerHeaders } from './answer.ts'
import type { Disposition } from './content-disposition.ts'
import { type ApiRequest, findHeader } from './request.ts'

const mediaType =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$%&'()*+,./:;<=>?@[\]^`{|}~-]*"))*$/
const unknownType = 'application/octet-stream'

/** The blob's own type with the encoding of its text. What is no type, as clients may send anything, is just bytes. */
export function contentTypeOf({ 'mime-type': type, encoding }: Pick<BlobValue, 'mime-type' | 'encoding'>): string {
  const known = type !== null && mediaType.test(type) ? type : unknownType
  const isTold = /;\s*charset=/i.test(known)
  return encoding === null || isTold || !isEncoding(encoding) ? known : `${known};charset=${encoding}`
}

function isEncoding(label: string): boolean {
  try {
    return /^[\w.:+-]+$/.test(label) && new TextDecoder(label) !== undefined
  } catch {
    return false
  }
}

const sandbox = "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"
const activeType = /^(?:text\/html|[\w!#$&^.+-]+\/(?:[\w!#$&^.+-]+\+)?xml|text\/xsl)\s*(?:;|$)/i

/** Keeps a page or drawing that somebody stored here from acting as whoever looks at it (spec: security.md 9.5). */
export function sandboxHeaders(disposition: Disposition, contentType: string): AnswerHeaders {
  return disposition === 'inline' && activeType.test(contentType) ? { 'Content-Security-Policy': sandbox } : {}
}

/** The digests that the client wants and that are at hand (spec: blobs.md 3.6). */
export function digestHeaders(
  request: Pick<ApiRequest, 'headers'>,
  { digest, digestAlgorithm }: Pick<BlobValue, 'digest' | 'digestAlgorithm'>,
  isWhole: boolean,
): AnswerHeaders {
  const header = findHeader(request, 'want-digest')
  if (header === undefined) return {}
  const wanted = header.split(',').map((one) => one.replace(/;.*$/s, '').trim().toLowerCase())
  const encoded = Buffer.from(digest, 'hex').toString('base64')
  const wantsMd5 = wanted.includes('contentmd5') && digestAlgorithm === 'MD5' && isWhole
  return {
    ...(wanted.includes(digestAlgorithm.toLowerCase()) && { Digest: `${digestAlgorithm}=${encoded}` }),
    ...(wantsMd5 && { 'Content-MD5': encoded }),
  }
}
