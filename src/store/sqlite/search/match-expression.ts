import type { FulltextAlternative, FulltextQuery, FulltextTerm } from '../../../nxql/fulltext/fulltext-expression.ts'
import type { FulltextColumn } from '../../sql/search/search-dialect.ts'

/** A full-text query in the language of FTS5. Words hold letters, marks and digits only: in quotation marks they are nothing else. */
export function matchExpression(column: FulltextColumn, { alternatives }: FulltextQuery): string {
  return `${column} : (${alternatives.map(alternativeOf).join(' OR ')})`
}

function alternativeOf({ required, excluded }: FulltextAlternative): string {
  const wanted = termsOf(required).join(' AND ')
  return excluded.length === 0 ? `(${wanted})` : `((${wanted}) NOT (${termsOf(excluded).join(' OR ')}))`
}

/** Each once: 2,000 times the same word took 15 seconds to rank one document that holds it as often. */
function termsOf(terms: readonly FulltextTerm[]): readonly string[] {
  return [...new Set(terms.map(termOf))]
}

function termOf({ words, isPrefix }: FulltextTerm): string {
  return `"${words.join(' ')}"${isPrefix ? ' *' : ''}`
}
