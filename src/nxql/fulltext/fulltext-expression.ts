import { defineMistake } from '../mistake.ts'
import type { QueryTally } from '../query-limits.ts'
import { skip } from '../syntax/scanner.ts'
import { type SoughtWord, stopWords, tokenise, wordsOf } from './fulltext-tokens.ts'

/** What a full-text expression asks for: any of the alternatives. None at all matches nothing. */
export interface FulltextQuery {
  readonly alternatives: readonly FulltextAlternative[]
}

/** All required terms, of which there is at least one, and none of the excluded ones. */
export interface FulltextAlternative {
  readonly required: readonly FulltextTerm[]
  readonly excluded: readonly FulltextTerm[]
}

/** Words that stand side by side in this order; mostly just one. There is always one. */
export interface FulltextTerm {
  readonly words: readonly string[]
  /** The last word need only begin so. */
  readonly isPrefix: boolean
  /** The words before they were normalised, for a search that compares letters rather than words. */
  readonly written: readonly string[]
}

export const invalidFulltext = defineMistake(
  'invalidFulltext',
  ({ reason, expression }: { reason: string; expression: string }) => `Invalid fulltext query (${reason}): ${expression}`,
)

/** @throws invalidFulltext, queryTooLarge, at the offset of the expression in its query. */
export function parseFulltext(expression: string, offset = 0, tally?: QueryTally): FulltextQuery {
  const refuse = (reason: string) => invalidFulltext({ reason, expression, offset })
  const count = ({ words, isPrefix }: FulltextTerm) => {
    tally?.add('words', offset, words.length)
    if (isPrefix) tally?.add('prefixes', offset)
  }
  const groups = splitAtOr(scanPieces(expression, refuse, count), refuse)
  const hasOtherWords = groups.some((pieces) => pieces.some(isTelling))
  const alternatives = groups.map((pieces) => alternativeOf(pieces.filter((piece) => !(hasOtherWords && isIgnorable(piece)))))
  // Alternatives of nothing but exclusions match nothing.
  return { alternatives: alternatives.filter(({ required }) => required.length > 0) }
}

interface TermPiece {
  readonly kind: 'term'
  readonly term: FulltextTerm
  readonly isExcluded: boolean
  readonly isQuoted: boolean
}
type Piece = TermPiece | { readonly kind: 'or' } | { readonly kind: 'ignored' }
type Refuse = (reason: string) => Error

const blank = /\s*/y
const plainWord = /[^\s"]+/y

/** Terms and ORs in order. What holds no letter or digit is ignored, yet it is something for an OR to stand beside. */
function scanPieces(expression: string, refuse: Refuse, count: (term: FulltextTerm) => void): readonly Piece[] {
  const pieces: Piece[] = []
  for (let at = skip(blank, expression, 0); at < expression.length; at = skip(blank, expression, at)) {
    const sign = expression.startsWith('-', at) ? '-' : expression.startsWith('+', at) ? '+' : ''
    const { text, isQuoted, end } = scanTerm(expression, at + sign.length, refuse)
    if (text === '' && !isQuoted) throw refuse(`standalone ${sign}`)
    const isOr = sign === '' && !isQuoted && text.toUpperCase() === 'OR'
    const piece: Piece = isOr ? { kind: 'or' } : pieceOf(text, sign === '-', isQuoted)
    if (piece.kind === 'term') count(piece.term)
    pieces.push(piece)
    at = end
  }
  return pieces
}

function scanTerm(expression: string, start: number, refuse: Refuse) {
  if (expression[start] === '"') {
    const end = expression.indexOf('"', start + 1)
    if (end < 0) throw refuse('unterminated phrase')
    return { text: expression.slice(start + 1, end), isQuoted: true, end: end + 1 }
  }
  const end = skip(plainWord, expression, start)
  if (expression[end] === '"') throw refuse('double quotes in word')
  return { text: expression.slice(start, end), isQuoted: false, end }
}

function pieceOf(text: string, isExcluded: boolean, isQuoted: boolean): Piece {
  const term = termIn(text, !isQuoted && /[*%]$/.test(text))
  return term === undefined ? { kind: 'ignored' } : { kind: 'term', term, isExcluded, isQuoted }
}

/** A word with punctuation in it, `well-known`, is several words side by side. Undefined where there is no letter or digit. */
export function termIn(text: string, isPrefix: boolean): FulltextTerm | undefined {
  const words = tokenise(text)
  if (words.length === 0) return undefined
  const asWritten = wordsOf(text)
  // Some signs, such as ℡, become letters only when they are normalised.
  const written = asWritten.length === 0 ? words : asWritten
  return { words, isPrefix, written }
}

function splitAtOr(pieces: readonly Piece[], refuse: Refuse): readonly (readonly TermPiece[])[] {
  const groups: TermPiece[][] = [[]]
  let before: Piece | undefined
  for (const piece of pieces) {
    if (piece.kind === 'or') {
      if (before === undefined) throw refuse('standalone OR')
      if (before.kind === 'or') throw refuse('OR OR')
      groups.push([])
    } else if (piece.kind === 'term') {
      groups.at(-1)?.push(piece)
    }
    before = piece
  }
  if (before?.kind === 'or') throw refuse('final OR')
  return groups
}

/** A stop word that is asked for by itself. In a phrase and as a beginning it means what it says. */
function isIgnorable({ term, isExcluded, isQuoted }: TermPiece): boolean {
  return !isExcluded && !isQuoted && isStopWord(term)
}

export function isStopWord({ words, isPrefix }: FulltextTerm): boolean {
  const [only] = words
  return !isPrefix && words.length === 1 && stopWords.has(only ?? '')
}

function isTelling(piece: TermPiece): boolean {
  return !piece.isExcluded && !isIgnorable(piece)
}

function alternativeOf(pieces: readonly TermPiece[]): FulltextAlternative {
  return {
    required: pieces.filter((piece) => !piece.isExcluded).map((piece) => piece.term),
    excluded: pieces.filter((piece) => piece.isExcluded).map((piece) => piece.term),
  }
}

// A page of results is ordered well enough by the first of them, and each costs time in every document that matches.
const maxWords = 20

/** The required words of all alternatives, each once. */
export function soughtWords({ alternatives }: FulltextQuery): readonly SoughtWord[] {
  const found = new Map<string, SoughtWord>()
  for (const { required } of alternatives) {
    for (const { words, isPrefix } of required) {
      for (const [index, word] of words.entries()) {
        const isOpen = isPrefix && index === words.length - 1
        found.set(isOpen ? `${word}*` : word, { word, isPrefix: isOpen })
        if (found.size === maxWords) return [...found.values()]
      }
    }
  }
  return [...found.values()]
}
