import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import { unreachable } from '../../../base/unreachable.ts'
import type { HintedAtom } from '../../../nxql/formula.ts'
import type { FulltextQuery, FulltextTerm } from '../../../nxql/fulltext/fulltext-expression.ts'
import { tokenise } from '../../../nxql/fulltext/fulltext-tokens.ts'
import type { HintedMatch } from '../../../nxql/fulltext/hinted-match.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import type { QueryReference } from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { findColumnOfProperty } from './fulltext-column.ts'
import { itemAlias, someChoice } from './item-tables.ts'
import { anyOf, no } from './junction.ts'
import { patternsOfExpression } from './regular-patterns.ts'
import type { FulltextColumn } from './search-dialect.ts'
import { listOf, scalarAt, shown, singleValue } from './sql-operand.ts'
import { isStorablePattern } from './value-test.ts'

/** Any letter of a word. Words are told apart by spaces. */
const anyLetter = '[^ ]'

/**
 * A regular expression for texts of words, each with a space before and behind it, that hold a word much like this one: with one
 * or two letters changed, added or left out. It holds nothing but letters, digits and alternatives of them, so that every engine
 * reads it alike and in no time.
 */
export function fuzzyExpression(word: string): string {
  const letters = Array.from(word)
  const edits = editsFor(letters.length)
  let variants = new Map([[word, letters]])
  for (let edit = 0; edit < edits; edit++) {
    const wider = new Map(variants)
    for (const variant of variants.values()) for (const one of edited(variant)) wider.set(one.join(''), one)
    variants = wider
  }
  return ` (${[...variants.keys()].join('|')}) `
}

/** Two of a word of six letters or more, none of the shortest; of the longest there would be too many ways to write them. */
function editsFor(length: number): number {
  if (length < 3 || length > 50) return 0
  return length < 6 || length > 12 ? 1 : 2
}

function* edited(letters: readonly string[]): Generator<string[]> {
  for (let at = 0; at <= letters.length; at++) {
    const [before, behind] = [letters.slice(0, at), letters.slice(at)]
    yield [...before, anyLetter, ...behind]
    if (behind.length === 0) continue
    yield [...before, anyLetter, ...behind.slice(1)]
    if (letters.length > 1) yield [...before, ...behind.slice(1)]
  }
}

/** Whether one of the properties, or an item of one, matches as a hint asks. */
export function hinted(dialect: Dialect, { references, match, negated }: HintedAtom): Sql {
  const matches = anyOf(
    references.filter(({ type }) => type === 'string').map((reference) => matchesIn(dialect, reference, match)),
  )
  return negated ? sql`NOT coalesce(${matches}, 1 = 0)` : matches
}

function matchesIn(dialect: Dialect, reference: QueryReference, match: HintedMatch): Sql {
  const column = findColumn(reference)
  const query = column && findWordQuery(match)
  if (column !== undefined && query !== undefined) return inIndex(dialect, column, query)
  if (!reference.isList) return textMatches(dialect, shown(singleValue(dialect, reference)), match)
  const item = scalarAt(dialect, { root: { kind: 'item', alias: itemAlias }, steps: [] }, 'string')
  const tables = [{ alias: itemAlias, list: listOf(dialect, reference) }]
  return someChoice(dialect, tables, true, textMatches(dialect, item, match))
}

function findColumn(reference: QueryReference): FulltextColumn | undefined {
  const isWhole = reference.kind === 'property' && reference.steps.length === 0
  return isWhole ? findColumnOfProperty(reference.property.name) : undefined
}

/** The match as a full-text index answers it; undefined where it asks for more than words. */
function findWordQuery(match: HintedMatch): FulltextQuery | undefined {
  const alternative = (words: readonly string[], isPrefix: boolean) => {
    const term: FulltextTerm = { words, isPrefix, written: words }
    return { required: [term], excluded: [] }
  }
  if (match.kind === 'words') return { alternatives: match.words.map((word) => alternative([word], false)) }
  if (match.kind !== 'phrase') return undefined
  return { alternatives: match.words.length === 0 ? [] : [alternative(match.words, match.isPrefix)] }
}

function inIndex({ search }: Dialect, column: FulltextColumn, query: FulltextQuery): Sql {
  return query.alternatives.length === 0 ? no : sql`documents.seq IN (${search.matching(column, query)})`
}

function textMatches({ search }: Dialect, text: Sql, match: HintedMatch): Sql {
  const like = (patterns: readonly (readonly LikePiece[])[]) => anyOf(patterns.map((pattern) => search.like(text, pattern)))
  const contains = (part: string) => search.like(search.words(text), containing(part))
  switch (match.kind) {
    case 'words':
      return anyOf(match.words.map((word) => contains(` ${word} `)))
    case 'phrase':
      return match.words.length === 0 ? no : contains(` ${match.words.join(' ')}${match.isPrefix ? '' : ' '}`)
    case 'fuzzy':
      return anyOf(match.words.map((word) => search.matchesExpression(search.words(text), fuzzyExpression(word))))
    case 'wildcard':
      return like(match.patterns.filter(isStorablePattern))
    case 'regex':
      return like(match.expressions.flatMap(patternsOfExpression).filter(isStorablePattern))
    case 'similar':
      return anyOf(match.to.flatMap(tokenise).map((word) => contains(` ${word} `)))
    default:
      return unreachable(match)
  }
}

function containing(text: string): readonly LikePiece[] {
  return [{ kind: 'run' }, { kind: 'text', text }, { kind: 'run' }]
}
