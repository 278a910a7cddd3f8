import { compareText } from '../nxql/code-point-order.ts'
import { lowerCase } from '../nxql/letter-case.ts'
import { type LikePiece, matchesLike, parseLike } from '../nxql/like-pattern.ts'
import type { TermPattern } from './directories.ts'

/** Case means nothing to a search; accents do. */
export function foldTerm(text: string): string {
  return lowerCase(text).normalize('NFC')
}

/** The order in which searches give terms. */
export function compareTerms(one: string, other: string): number {
  return compareText(foldTerm(one), foldTerm(other)) || compareText(one, other)
}

/**
 * Ids of entries have at most so many UTF-16 units, and terms are cut to as many: an index entry of PostgreSQL has room for about
 * 2,700 bytes, in which two of them stand beside names, and a unit takes up to three.
 */
export const longestTerm = 400

/** As much of a term as is stored. */
export function cutTerm(term: string): string {
  if (term.length <= longestTerm) return term
  const isPairCut = /[\ud800-\udbff]/.test(term.charAt(longestTerm - 1))
  return term.slice(0, isPairCut ? longestTerm - 1 : longestTerm)
}

const run: LikePiece = { kind: 'run' }

/** What the pattern is made of, from the beginning of a term to its end. */
export function piecesOf({ text, place, hasWildcards }: TermPattern): readonly LikePiece[] {
  const pieces = hasWildcards ? parseLike(withPlainBackslashes(text), { ignoresCase: false }) : [{ kind: 'text', text } as const]
  return [...(place === 'initial' ? [] : [run]), ...pieces, ...(place === 'final' ? [] : [run])]
}

/** A backslash takes the meaning from `%`, `_` and itself; before anything else it is a character that was typed. */
function withPlainBackslashes(text: string): string {
  return text.replaceAll(/\\[%_\\]?/g, (found) => (found.length === 1 ? '\\\\' : found))
}

/** Whether a search would find the term, for what is found beside the entries of the store. */
export function matchesTerm(pattern: TermPattern, term: string): boolean {
  return matchesLike(piecesOf(pattern), term)
}
