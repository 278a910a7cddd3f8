import type { Session } from '../../core/session.ts'
import type { Answer } from '../answer.ts'
import type { Answering } from '../request/exchange.ts'
import type { Download } from './download-rule.ts'

interface Head {
  readonly contentType: string
  readonly headers: { readonly [name: string]: string }
}

/**
 * What nginx judges by what it knows of the file, which is another tag and another date than ours; and ranges that it answers in another way.
 */
const ownConditions = ['if-match', 'if-unmodified-since', 'if-range']
const oneRange = /^bytes=(?:\d+-\d*|-\d+)$/

/**
 * Leaves the bytes of a stored file to the nginx that the request came through, if the deployment wants it and nginx has asked: rights,
 * rules and conditions have been looked at, and listeners are told as of any download. Its location comes from the settings, not from the
 * header, which may be a client's where nginx passes it on: that would choose what nginx sends. Undefined where we send them: what is made
 * for the answer, what is not in a folder, and what has a policy of its own, which nginx would not pass on by itself.
 */
export async function findHandOff(
  { request, services }: Answering,
  { repository: { blobs } }: Session,
  { blob, bytes }: Download,
  { contentType, headers }: Head,
): Promise<Answer | undefined> {
  const { handOffLocation } = services.downloads
  if (handOffLocation === undefined || !isAsked(request, handOffLocation)) return undefined
  if (bytes !== undefined || 'Content-Security-Policy' in headers) return undefined
  const path = await blobs.findPath?.(blob.key, blob.length)
  if (path === undefined) return undefined
  // Of these nginx counts by itself: the answer to it has no bytes.
  const { 'Content-Length': _length, 'Content-Range': _range, 'Accept-Ranges': _ranges, ...told } = headers
  const handing = { 'X-Accel-Redirect': `${handOffLocation}/${path}`, 'Content-Type': contentType }
  return { kind: 'empty', status: 200, headers: { ...told, ...handing } }
}

function isAsked({ method, headers, isFromTrustedProxy }: Answering['request'], location: string): boolean {
  if (method !== 'GET' || headers['x-accel-location'] !== location || !isFromTrustedProxy) return false
  if (ownConditions.some((name) => headers[name] !== undefined)) return false
  const { range } = headers
  return range === undefined || (typeof range === 'string' && oneRange.test(range.trim()))
}
