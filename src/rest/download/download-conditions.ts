import type { ByteRange } from '../../store/blobs/blob-store.ts'
import { type Static, Type } from '../openapi/schema.ts'
import { readHeaders } from '../payload/declared-input.ts'
import { downloadHeaders } from '../request/declared-headers.ts'
import type { ApiRequest } from '../request/request.ts'
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

/** What every download can be asked with, beside its headers. */
export const downloadQuery = Type.Object({
  inline: Type.Parsed((text) => text !== 'false', {
    type: 'boolean',
    description: 'Show it in the browser instead of saving it; its bare name does, too',
  }),
  digest: Type.Optional(
    Type.String({ description: 'Of the bytes, as their ETag has it: where it is that, the answer may be kept for ever' }),
  ),
  changeToken: Type.Optional(Type.String({ description: 'Whatever it is, the answer may be kept for a year' })),
  clientReason: Type.Optional(Type.String({ description: 'What it is for, in the words of the client: the history tells it' })),
})

const conditions = Type.Object(downloadHeaders)

type Conditions = Static<typeof conditions>

/** Weighs the conditions of a request, then its range (contract: blobs 3.5; RFC 9110, 13.2.2). */
export function planDownload(request: Pick<ApiRequest, 'method' | 'headers'>, validators: Validators): DownloadPlan {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const asked = readHeaders(conditions, request)
  if (!meetsDemands(asked, validators)) return { kind: 'preconditionFailed' }
  const noneMatch = asked['If-None-Match']
  if (noneMatch !== undefined && names(noneMatch, validators.etag)) return { kind: isRead ? 'notModified' : 'preconditionFailed' }
  // With a version that is restored the date goes back: a later one that a client has belongs to other bytes.
  if (noneMatch === undefined && isRead && secondsAfter(asked['If-Modified-Since'], validators) === 0) {
    return { kind: 'notModified' }
  }
  return planRange(asked, validators)
}

/** Whether a request may change the file that is there, or there may be none: as its conditions ask (RFC 9110, 13.1). */
export function mayReplace(request: Pick<ApiRequest, 'headers'>, validators: Validators | undefined): boolean {
  const asked = readHeaders(conditions, request)
  if (validators === undefined) return asked['If-Match'] === undefined
  const noneMatch = asked['If-None-Match']
  return meetsDemands(asked, validators) && (noneMatch === undefined || !names(noneMatch, validators.etag))
}

/** A client that says which version it wants is not served another. */
function meetsDemands({ 'If-Match': match, ...asked }: Conditions, validators: Validators): boolean {
  if (match !== undefined) return match === '*' || tagsOf(match).includes(validators.etag)
  return (secondsAfter(asked['If-Unmodified-Since'], validators) ?? 0) <= 0
}

function planRange({ 'If-Range': condition, Range: sent }: Conditions, { etag, length }: Validators): DownloadPlan {
  // A date tells about the document, not about these very bytes: only the tag makes sure that parts fit together.
  if (condition !== undefined && condition !== etag) return { kind: 'whole' }
  const range = parseByteRange(sent, length)
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

/** By how many seconds, as headers tell it, the last change came after a date; undefined when there is nothing to compare. */
function secondsAfter(date: string | undefined, { lastModified }: Validators): number | undefined {
  const since = Date.parse(date ?? '')
  if (Number.isNaN(since) || lastModified === undefined) return undefined
  return Math.floor(lastModified / 1000) - Math.floor(since / 1000)
}
