import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/page-provider.ts'
import type { ProviderRequest } from '../../core/search/provider-request.ts'
import { runProvider } from '../../core/search/run-provider.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { highlightingOf } from './highlighting.ts'

/** A search that cannot be run. The page says why; over `/search` and `/query` that is all the answer there is. */
export const failedSearch = defineProblem('failedSearch', 'invalid', (of: { reason: string }) => of.reason)

/** Runs a provider and answers with the page that it finds. @throws failedSearch */
export async function answerSearch(
  exchange: Exchange,
  session: Session,
  provider: PageProvider,
  request: ProviderRequest,
): Promise<Answer> {
  const found = await runProvider(session, provider, request)
  const { error } = found.page
  if (error !== null) throw failedSearch({ reason: error })
  const highlighting = highlightingOf(exchange.request, found.query)
  return writeResource(exchange, session, { kind: 'documents', ...found, ...(highlighting !== undefined && { highlighting }) })
}
