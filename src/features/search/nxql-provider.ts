import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { Session } from '../../core/session.ts'

export const invalidQueryLanguage = defineProblem('invalidQueryLanguage', 'invalid', (_: object) => 'invalid query language')

export const nxqlLanguage = 'NXQL'

/** There is one language, and its name is written in capitals. @throws invalidQueryLanguage */
export function requireNxql(language: string): void {
  if (language !== nxqlLanguage) throw invalidQueryLanguage({})
}

const name = 'REST_API_SEARCH_ADAPTER'

/** The provider that runs the query of a request. */
export function nxqlProvider(session: Session, query: string, maxResults?: number): PageProvider {
  const defined = session.repository.pageProviders.find(name) ?? { name }
  return { ...defined, pattern: query, ...(maxResults !== undefined && { maxResults }) }
}
