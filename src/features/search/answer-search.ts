import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import type { Exchange } from '../../rest/request/exchange.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { requireFound } from './failed-search.ts'
import { withHighlighting } from './highlighting.ts'
import { type SentSearch, searchRequestOf } from './search-request.ts'

/** Runs a provider and answers with the page that it finds, by what was sent or by another request made of it. @throws failedSearch */
export async function answerSearch(
  exchange: Exchange,
  session: Session,
  provider: PageProvider,
  sent: SentSearch,
  request: ProviderRequest = searchRequestOf(sent),
): Promise<Answer> {
  const found = requireFound(await runProvider(session, provider, request))
  return writeResource(exchange, session, {
    kind: 'documents',
    ...withHighlighting(session, found, sent.query.highlight),
  })
}
