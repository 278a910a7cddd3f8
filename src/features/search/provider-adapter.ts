import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { withCurrentNames } from '../../core/search/providers/provider-parameters.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Document } from '../../model/document.ts'
import { defineAdapter } from '../../rest/adapter.ts'
import { runEntityProvider } from '../../rest/entity-provider.ts'
import { eitherAnswer } from '../../rest/openapi/answers.ts'
import { openPageSchema } from '../../rest/openapi/resource-answers.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentPageSchema } from '../../rest/render/documents-entity.ts'
import { searchHeaders } from '../../rest/request/declared-headers.ts'
import { adapterPagingOf, idleAdapterMaxResults, pagingParameters } from '../../rest/request/paging.ts'
import { requireDocument } from '../../rest/resource.ts'
import type { EntityProvider } from '../../rest/services.ts'
import { requireDocumentProvider } from './document-provider.ts'
import { withHighlighting } from './highlighting.ts'
import { providerParameters } from './search-parameters.ts'
import { type SentSearch, searchRequestOf } from './search-request.ts'

export const providerNotFound = defineProblem(
  'providerNotFound',
  'notFound',
  (_: { name: string }) => 'Page provider given not found',
)

/** What any page provider is answered with. */
export const providerAnswers = {
  200: eitherAnswer('documents, or whatever else the provider lists', [documentPageSchema, openPageSchema]),
  400: 'the query cannot be run',
  404: 'there is no such page provider',
}

const childrenProvider = 'CURRENT_DOC_CHILDREN'

/** What a page provider finds for the document, whose id is its first parameter. */
export const providerAdapter = defineAdapter({
  name: 'pp',
  operationId: 'runPageProvider',
  summary: 'What a page provider finds; its first parameter is the id of the document. Without a name: the children',
  accepts: ['document'],
  tail: '{providerName}',
  yields: 'documents',
  answers: providerAnswers,
  query: Type.Object({ ...providerParameters.properties, ...pagingParameters, maxResults: idleAdapterMaxResults }),
  headers: Type.Object(searchHeaders),
  async resolve({ session, exchange: { services }, resource, tail, sent }) {
    const name = tail.join('/') || childrenProvider
    const provider = services.entityProviders.get(name) ?? session.repository.pageProviders.find(name)
    if (provider === undefined) throw providerNotFound({ name })
    const wish = wishAt(requireDocument(resource), provider, sent)
    if (provider.kind === 'entities')
      return runEntityProvider(provider, { session, services, request: withCurrentNames(session, wish) })
    const found = await runProvider(session, requireDocumentProvider(provider), wish)
    return { kind: 'documents', ...withHighlighting(session, found, sent.query.highlight) }
  },
})

function wishAt(currentDocument: Document, provider: PageProvider | EntityProvider, sent: SentSearch): ProviderRequest {
  const { maxResults: _ofTheProvider, ...paging } = adapterPagingOf(sent.query)
  const { parameters = [], ...asked } = searchRequestOf(sent)
  const ordered = hasPlaces(provider) ? [currentDocument.id, ...parameters] : parameters
  return { ...asked, ...paging, parameters: ordered, currentDocument }
}

/** A query that asks for no parameter is not given one. */
function hasPlaces(provider: PageProvider | EntityProvider): boolean {
  if (provider.kind === 'entities') return true
  const { pattern = '', whereClause } = provider
  return `${pattern}${whereClause?.fixedPart ?? ''}`.includes('?')
}
