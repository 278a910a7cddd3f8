import { Buffer } from 'node:buffer'
import type { BlobValue } from '../../model/properties/property.ts'
import type { AnswerHeaders } from '../answer.ts'
import { Type } from '../openapi/schema.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { downloadHeaders } from '../request/declared-headers.ts'
import type { ApiRequest } from '../request/request.ts'
import type { Disposition } from './content-disposition.ts'

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
/**
 * What browsers show without ever running any of it. Whatever is not known to be so may be run by some browser, now or one day, as
 * `multipart/x-mixed-replace` was found to be. Viewers of PDF are walled off from the page's origin, and do not open in a sandbox.
 */
const harmlessTypes: ReadonlySet<string> = new Set([
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/x-wav',
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/vnd.microsoft.icon',
  'image/webp',
  'image/x-icon',
  'text/csv',
  'text/plain',
  'video/mp4',
  'video/mpeg',
  'video/ogg',
  'video/quicktime',
  'video/webm',
])

/** Keeps stored content from acting as the user who views it (contract: security 9.5). */
export function sandboxHeaders(disposition: Disposition, contentType: string): AnswerHeaders {
  const [type = ''] = contentType.split(';', 1)
  const isHarmless = disposition === 'attachment' || harmlessTypes.has(type.trim().toLowerCase())
  return isHarmless ? {} : { 'Content-Security-Policy': sandbox }
}

const digestWish = Type.Object({ 'Want-Digest': downloadHeaders['Want-Digest'] })

/** The digests that the client wants and that are at hand (contract: blobs 3.6). */
export function digestHeaders(
  request: Pick<ApiRequest, 'headers'>,
  { digest, digestAlgorithm }: Pick<BlobValue, 'digest' | 'digestAlgorithm'>,
  isWhole: boolean,
): AnswerHeaders {
  const { 'Want-Digest': header } = readHeaders(digestWish, request)
  if (header === undefined) return {}
  const wanted = header.split(',').map((one) => one.replace(/;.*$/s, '').trim().toLowerCase())
  const encoded = Buffer.from(digest, 'hex').toString('base64')
  const wantsMd5 = wanted.includes('contentmd5') && digestAlgorithm === 'MD5' && isWhole
  return {
    ...(wanted.includes(digestAlgorithm.toLowerCase()) && { Digest: `${digestAlgorithm}=${encoded}` }),
    ...(wantsMd5 && { 'Content-MD5': encoded }),
  }
}
