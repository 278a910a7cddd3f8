import type { ByteRange } from '../../store/blobs/blob-store.ts'

/** What a `Range` header comes to for so many bytes. */
export type AskedRange =
  /** Not asked for, or in a way that is not served: all of it. */
  { readonly kind: 'none' } | { readonly kind: 'beyondEnd' } | { readonly kind: 'part'; readonly part: ByteRange }

const oneRange = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i

/** One range of bytes. Several, other units and what makes no sense count as not asked for (contract: blobs 3.5). */
export function parseByteRange(header: string | undefined, length: number): AskedRange {
  const found = oneRange.exec(header ?? '')
  if (found === null) return { kind: 'none' }
  const [, first, last, suffix] = found
  if (suffix !== undefined) return ending(Number(suffix), length)
  return between(Number(first), last ? Number(last) : Number.POSITIVE_INFINITY, length)
}

function between(start: number, last: number, length: number): AskedRange {
  if (start > last) return { kind: 'none' }
  return start >= length ? { kind: 'beyondEnd' } : { kind: 'part', part: { start, end: Math.min(last, length - 1) } }
}

function ending(size: number, length: number): AskedRange {
  if (size === 0) return { kind: 'beyondEnd' }
  // The last bytes of nothing are nothing, which no range can say.
  return length === 0 ? { kind: 'none' } : { kind: 'part', part: { start: Math.max(0, length - size), end: length - 1 } }
}
