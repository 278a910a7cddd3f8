import type { LikePiece } from '../like-pattern.ts'
import { defineMistake, type Spot } from '../mistake.ts'
import { tokenise } from './fulltext-tokens.ts'

/** How a hint asks for texts. Words are normalised as the full-text index does it. */
export type HintedMatch =
  /** Any of the words. */
  | { readonly kind: 'words'; readonly words: readonly string[] }
  /** The words side by side in this order; as a prefix, the last one need only begin so. */
  | { readonly kind: 'phrase'; readonly words: readonly string[]; readonly isPrefix: boolean }
  /** A word at most two letters away from one of these, and from a short one fewer. */
  | { readonly kind: 'fuzzy'; readonly words: readonly string[] }
  | { readonly kind: 'wildcard'; readonly patterns: readonly (readonly LikePiece[])[] }
  /** The whole text matches one of the regular expressions. */
  | { readonly kind: 'regex'; readonly expressions: readonly string[] }
  /** Texts, or ids of documents, that have much in common with what is looked for. */
  | { readonly kind: 'similar'; readonly to: readonly string[] }

export const unknownHintOperator = defineMistake(
  'unknownHintOperator',
  ({ operator }: { operator: string }) => `Operator: ${operator} is unknown`,
)

/** Hints that an index engine understands and that leave the predicate as it is written. */
const ignored: ReadonlySet<string> = new Set([
  'multi_match',
  'common',
  'query_string',
  'simple_query_string',
  'geo_bounding_box',
  'geo_distance',
  'geo_shape',
])

const matches = new Map<string, (texts: readonly string[]) => HintedMatch>([
  ['match', (texts) => ({ kind: 'words', words: texts.flatMap(tokenise) })],
  ['match_phrase', (texts) => ({ kind: 'phrase', words: texts.flatMap(tokenise), isPrefix: false })],
  ['match_phrase_prefix', (texts) => ({ kind: 'phrase', words: texts.flatMap(tokenise), isPrefix: true })],
  ['fuzzy', (texts) => ({ kind: 'fuzzy', words: texts.flatMap(tokenise) })],
  ['wildcard', (texts) => ({ kind: 'wildcard', patterns: texts.map(parseWildcards) })],
  ['regex', (texts) => ({ kind: 'regex', expressions: texts })],
  ['more_like_this', (texts) => ({ kind: 'similar', to: texts })],
])

/**
 * Undefined for an operator that changes nothing here, and where there is no word to look for: what is written then asks for it,
 * such as for any title while nothing of it is typed yet.
 * @throws unknownHintOperator
 */
export function hintedMatch(operator: string, texts: readonly string[], spot: Spot): HintedMatch | undefined {
  const make = matches.get(operator)
  if (make === undefined && !ignored.has(operator)) throw unknownHintOperator({ operator, offset: spot.offset })
  const match = make?.(texts)
  return match !== undefined && 'words' in match && match.words.length === 0 ? undefined : match
}

/** `*` is anything, `?` one character. */
function parseWildcards(text: string): readonly LikePiece[] {
  return text.split(/(\*+|\?)/).flatMap((piece): LikePiece[] => {
    if (piece === '') return []
    if (piece === '?') return [{ kind: 'one' }]
    return piece.startsWith('*') ? [{ kind: 'run' }] : [{ kind: 'text', text: piece }]
  })
}
