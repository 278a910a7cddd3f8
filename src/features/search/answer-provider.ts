import { withCurrentNames } from '../../core/search/provider-parameters.ts'
import type { Session } from '../../core/session.ts'
import type { Answer } from '../../rest/answer.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import type { Exchange } from '../../rest/exchange.ts'
import { writeResource } from '../../rest/resource-answer.ts'
import { answerSearch } from './answer-search.ts'
import { readProvider, requireDocumentProvider } from './document-provider.ts'
import { parseSearchRequest } from './search-request.ts'

/** Runs the provider of that name, of whichever kind. @throws unknownPageProvider, givesNoDocuments, failedSearch */
export async function answerProvider(exchange: Exchange, session: Session, name: string): Promise<Answer> {
  const { services } = exchange
  const request = parseSearchRequest(exchange.request)
  const provider = readProvider(session, services, name)
  if (provider.kind !== 'entities') return answerSearch(exchange, session, requireDocumentProvider(provider), request)
  const list = await runEntityProvider(provider, { session, services, request: withCurrentNames(session, request) })
  return writeResource(exchange, session, list)
}
