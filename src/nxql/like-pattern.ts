import { lowerCase } from './letter-case.ts'

/** What the pattern of a LIKE is made of, in order. Neighbouring texts are one, and so are neighbouring runs. */
export type LikePiece =
  | { readonly kind: 'text'; readonly text: string }
  /** `%`: anything, also nothing, also line breaks. */
  | { readonly kind: 'run' }
  /** `_`: one code point. */
  | { readonly kind: 'one' }

/**
 * Reads `%`, `_` and the backslash that takes their meaning from them. Before anything else, and at the end, the backslash is
 * ignored.
 */
export function parseLike(pattern: string, options: { readonly ignoresCase: boolean }): readonly LikePiece[] {
  const pieces: LikePiece[] = []
  let text = ''
  const flush = () => {
    if (text !== '') pieces.push({ kind: 'text', text: options.ignoresCase ? lowerCase(text) : text })
    text = ''
  }
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') {
      text += pattern[++at] ?? ''
    } else if (character === '%') {
      flush()
      if (pieces.at(-1)?.kind !== 'run') pieces.push({ kind: 'run' })
    } else if (character === '_') {
      flush()
      pieces.push({ kind: 'one' })
    } else {
      text += character
    }
  }
  flush()
  return pieces
}

/** Texts in this order with anything before, between and behind them. */
export function containingInOrder(texts: readonly string[]): readonly LikePiece[] {
  return [{ kind: 'run' }, ...texts.flatMap((text): LikePiece[] => [{ kind: 'text', text: lowerCase(text) }, { kind: 'run' }])]
}

/** Whether the whole text is what the pattern says. For a pattern that ignores case, give the text in lower case. */
export function matchesLike(pieces: readonly LikePiece[], text: string): boolean {
  let piece = 0
  let at = 0
  // Only the last run has to be tried longer: what matched before it stays the best there is.
  let retry: { readonly piece: number; at: number } | undefined
  while (piece < pieces.length || at < text.length) {
    const wanted = pieces[piece]
    const length = wanted === undefined ? undefined : lengthOf(wanted, text, at)
    if (length !== undefined) {
      if (wanted?.kind === 'run') retry = { piece: piece + 1, at }
      piece++
      at += length
    } else if (retry !== undefined && retry.at < text.length) {
      retry.at += codePointLength(text, retry.at)
      at = retry.at
      piece = retry.piece
    } else {
      return false
    }
  }
  return true
}

/** How much of the text a piece takes at least; undefined when it does not match there. */
function lengthOf(piece: LikePiece, text: string, at: number): number | undefined {
  switch (piece.kind) {
    case 'run':
      return 0
    case 'one':
      return at < text.length ? codePointLength(text, at) : undefined
    default:
      return text.startsWith(piece.text, at) ? piece.text.length : undefined
  }
}

function codePointLength(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}
