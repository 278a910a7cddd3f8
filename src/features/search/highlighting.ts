import type { Highlighting } from '../../core/search/highlighting.ts'
import type { ProviderPage } from '../../core/search/page/provider-page.ts'
import type { Session } from '../../core/session.ts'
import type { Formula } from '../../nxql/formula.ts'
import type { FulltextTerm } from '../../nxql/fulltext/fulltext-expression.ts'
import type { HintedMatch } from '../../nxql/fulltext/hinted-match.ts'
import type { Query } from '../../nxql/query.ts'
import { requireWithin } from '../../nxql/query-limits.ts'

/** The page with what is to be marked in its documents; as it is when nothing is. @throws queryTooLarge */
export function withHighlighting({ repository }: Session, found: ProviderPage, fields: readonly string[] = []): ProviderPage {
  requireWithin(repository.searchRules.query.limits, 'columns', fields.length)
  const highlighting = highlightingOf([...new Set(fields)], found.query)
  return highlighting === undefined ? found : { ...found, highlighting }
}

/** What a client wants marked in the documents that a query found; undefined when it asks for nothing. */
export function highlightingOf(fields: readonly string[], query: Query | undefined): Highlighting | undefined {
  return fields.length === 0 || query === undefined ? undefined : { fields, terms: soughtTerms(query.where) }
}

/** The words that a full-text match of the query looks for, wherever; not those that it keeps out. */
export function soughtTerms(formula: Formula): readonly FulltextTerm[] {
  switch (formula.kind) {
    case 'and':
    case 'or':
      return formula.operands.flatMap(soughtTerms)
    case 'fulltext':
      return formula.negated ? [] : formula.query.alternatives.flatMap(({ required }) => required)
    case 'hinted':
      return formula.negated ? [] : hintedTerms(formula.match)
    default:
      return []
  }
}

function hintedTerms(match: HintedMatch): readonly FulltextTerm[] {
  if (match.kind === 'words') return match.words.map((word) => ({ words: [word], isPrefix: false, written: [word] }))
  if (match.kind === 'phrase') return [{ words: match.words, isPrefix: match.isPrefix, written: match.words }]
  return []
}
