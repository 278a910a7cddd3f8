import { keyLength } from '../documents/property-key.ts'

/** What a text is compared with, and whether it may be equal to that. */
export interface TextBound {
  readonly text: string
  readonly isInclusive: boolean
}

/**
 * A bound that means the same for all texts that can be stored. Nothing sorts before U+0000: whatever lies between a text and the
 * same one with that and more behind it is not stored.
 */
export function storableBound(text: string, side: 'low' | 'high', isInclusive: boolean): TextBound {
  const end = text.indexOf('\0')
  if (end < 0) return { text: text.toWellFormed(), isInclusive }
  return { text: text.slice(0, end).toWellFormed(), isInclusive: side === 'high' }
}

/** As much of a text as its index has, and whether that decides about the text as a whole. */
export function indexedPart(text: string): { readonly part: string; readonly isWhole: boolean } {
  if (text.length < keyLength) return { part: text, isWhole: true }
  const points = Array.from(text)
  return { part: points.slice(0, keyLength).join(''), isWhole: points.length < keyLength }
}

/** The first text behind all that begin so; undefined when there is none. */
export function behindPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const next = nextCodePoint(last.codePointAt(0) ?? 0)
    if (next !== undefined) return points.join('') + String.fromCodePoint(next)
  }
  return undefined
}

function nextCodePoint(point: number): number | undefined {
  if (point === 0x10ffff) return undefined
  return point === 0xd7ff ? 0xe000 : point + 1
}
