import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { requireFound } from './failed-search.ts'
import { highlightedFields, withHighlighting } from './highlighting.ts'

/** Runs a provider and answers with the page that it finds. @throws failedSearch */
export async function answerSearch(
  exchange: Exchange,
  session: Session,
  provider: PageProvider,
  request: ProviderRequest,
): Promise<Answer> {
  const found = requireFound(await runProvider(session, provider, request))
  return writeResource(exchange, session, {
    kind: 'documents',
    ...withHighlighting(session, found, highlightedFields(exchange.request)),
  })
}
