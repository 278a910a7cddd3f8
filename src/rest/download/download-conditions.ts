import type { ByteRange } from '../../store/blobs/blob-store.ts'
import { type ApiRequest, findHeader } from '../request/request.ts'
import { parseByteRange } from './byte-range.ts'

/** What a client may hold already, and can name to be spared it. */
export interface Validators {
  /** Quoted, strong. */
  readonly etag: string
  /** Milliseconds; undefined when nothing has a date. */
  readonly lastModified: number | undefined
  readonly length: number
}

/** How much of the bytes a request gets. */
export type DownloadPlan =
  | { readonly kind: 'notModified' }
  | { readonly kind: 'preconditionFailed' }
  | { readonly kind: 'rangeBeyondEnd' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }

/** Weighs the conditions of a request, then its range (contract: blobs 3.5; RFC 9110, 13.2.2). */
export function planDownload(request: Pick<ApiRequest, 'method' | 'headers'>, validators: Validators): DownloadPlan {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!meetsDemands(request, validators)) return { kind: 'preconditionFailed' }
  const noneMatch = findHeader(request, 'if-none-match')
  if (noneMatch !== undefined && names(noneMatch, validators.etag)) return { kind: isRead ? 'notModified' : 'preconditionFailed' }
  if (noneMatch === undefined && isRead && isUnmodifiedSince(request, 'if-modified-since', validators) === true) {
    return { kind: 'notModified' }
  }
  return planRange(request, validators)
}

/** Whoever says what it must still be, is not served something else. */
function meetsDemands(request: Pick<ApiRequest, 'headers'>, validators: Validators): boolean {
  const match = findHeader(request, 'if-match')
  if (match !== undefined) return match === '*' || tagsOf(match).includes(validators.etag)
  return isUnmodifiedSince(request, 'if-unmodified-since', validators) !== false
}

function planRange(request: Pick<ApiRequest, 'headers'>, { etag, length }: Validators): DownloadPlan {
  const condition = findHeader(request, 'if-range')
  // A date tells about the document, not about these very bytes: only the tag makes sure that parts fit together.
  if (condition !== undefined && condition !== etag) return { kind: 'whole' }
  const range = parseByteRange(findHeader(request, 'range'), length)
  switch (range.kind) {
    case 'none':
      return { kind: 'whole' }
    case 'beyondEnd':
      return { kind: 'rangeBeyondEnd' }
    case 'part':
      return { kind: 'part', range: range.part }
  }
}

/** Compared as `If-None-Match` asks for: a tag that a proxy made weak is still the same. */
function names(header: string, etag: string): boolean {
  return header === '*' || tagsOf(header).some((tag) => tag.replace(/^W\//, '') === etag)
}

function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}

/** To the second, as headers tell it; undefined when there is nothing to compare. */
function isUnmodifiedSince(
  request: Pick<ApiRequest, 'headers'>,
  header: string,
  { lastModified }: Validators,
): boolean | undefined {
  const since = Date.parse(findHeader(request, header) ?? '')
  if (Number.isNaN(since) || lastModified === undefined) return undefined
  return Math.floor(lastModified / 1000) <= Math.floor(since / 1000)
}
