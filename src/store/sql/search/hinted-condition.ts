import sql, { type Sql } from 'sql-template-tag'
import { unreachable } from '../../../base/unreachable.ts'
import type { HintedAtom } from '../../../nxql/formula.ts'
import type { FulltextQuery, FulltextTerm } from '../../../nxql/fulltext-expression.ts'
import { tokenise } from '../../../nxql/fulltext-tokens.ts'
import type { HintedMatch } from '../../../nxql/hinted-match.ts'
import type { LikePiece } from '../../../nxql/like-pattern.ts'
import type { Reference } from '../../../nxql/reference.ts'
import type { Dialect } from '../dialect.ts'
import { findColumnOfProperty } from './fulltext-column.ts'
import { fuzzyExpression } from './fuzzy-expression.ts'
import { itemAlias, someChoice } from './item-tables.ts'
import { anyOf, no } from './junction.ts'
import { patternsOfExpression } from './regular-patterns.ts'
import type { FulltextColumn } from './search-dialect.ts'
import { mayBeStored } from './text-bounds.ts'
import { listOf, scalarAt, shown, singleValue } from './value.ts'

/** Whether one of the properties, or an item of one, matches as a hint asks. */
export function hinted(dialect: Dialect, { references, match, negated }: HintedAtom): Sql {
  const matches = anyOf(
    references.filter(({ type }) => type === 'string').map((reference) => matchesIn(dialect, reference, match)),
  )
  return negated ? sql`NOT coalesce(${matches}, 1 = 0)` : matches
}

function matchesIn(dialect: Dialect, reference: Reference, match: HintedMatch): Sql {
  const column = findColumn(reference)
  const query = column && findWordQuery(match)
  if (column !== undefined && query !== undefined) return inIndex(dialect, column, query)
  if (!reference.isList) return textMatches(dialect, shown(singleValue(dialect, reference)), match)
  const item = scalarAt(dialect, { root: { kind: 'item', alias: itemAlias }, steps: [] }, 'string')
  const tables = [{ alias: itemAlias, list: listOf(dialect, reference) }]
  return someChoice(dialect, tables, true, textMatches(dialect, item, match))
}

function findColumn(reference: Reference): FulltextColumn | undefined {
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
  const holds = (part: string) => search.like(search.words(text), containing(part))
  switch (match.kind) {
    case 'words':
      return anyOf(match.words.map((word) => holds(` ${word} `)))
    case 'phrase':
      return match.words.length === 0 ? no : holds(` ${match.words.join(' ')}${match.isPrefix ? '' : ' '}`)
    case 'fuzzy':
      return anyOf(match.words.map((word) => search.matchesExpression(search.words(text), fuzzyExpression(word))))
    case 'wildcard':
      return like(match.patterns.filter(isStorable))
    case 'regex':
      return like(match.expressions.flatMap(patternsOfExpression).filter(isStorable))
    case 'similar':
      return anyOf(match.to.flatMap(tokenise).map((word) => holds(` ${word} `)))
    default:
      return unreachable(match)
  }
}

function containing(text: string): readonly LikePiece[] {
  return [{ kind: 'run' }, { kind: 'text', text }, { kind: 'run' }]
}

function isStorable(pattern: readonly LikePiece[]): boolean {
  return pattern.every((piece) => piece.kind !== 'text' || mayBeStored(piece.text))
}
