import type { FulltextQuery, FulltextTerm } from '../../../src/nxql/fulltext/fulltext-expression.ts'
import { tokenise } from '../../../src/nxql/fulltext/fulltext-tokens.ts'
import type { HintedMatch } from '../../../src/nxql/fulltext/hinted-match.ts'
import { matchesLike } from '../../../src/nxql/like-pattern.ts'

/** Whether words, in the order in which they are indexed, are what a full-text expression asks for. */
export function matchesFulltext({ alternatives }: FulltextQuery, words: readonly string[]): boolean {
  return alternatives.some(
    ({ required, excluded }) =>
      required.every((term) => holdsTerm(words, term)) && !excluded.some((term) => holdsTerm(words, term)),
  )
}

export function holdsTerm(words: readonly string[], term: Omit<FulltextTerm, 'written'>): boolean {
  const last = term.words.length - 1
  const isSame = (wanted: string, found: string | undefined, index: number) =>
    found !== undefined && (term.isPrefix && index === last ? found.startsWith(wanted) : found === wanted)
  return words.some((_, start) => term.words.every((wanted, index) => isSame(wanted, words[start + index], index)))
}

export function matchesHint(match: HintedMatch, text: string): boolean {
  const words = tokenise(text)
  switch (match.kind) {
    case 'words':
      return match.words.some((word) => words.includes(word))
    case 'phrase':
      return match.words.length > 0 && holdsTerm(words, match)
    case 'regex':
      return match.expressions.some((expression) => new RegExp(`^(?:${expression})$`, 'su').test(text))
    case 'wildcard':
      return match.patterns.some((pattern) => matchesLike(pattern, text))
    default:
      return false
  }
}
