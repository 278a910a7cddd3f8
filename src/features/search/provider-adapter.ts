import { Type } from 'typebox'
import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/page-provider.ts'
import { runProvider } from '../../core/search/run-provider.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { parseAdapterPaging } from '../../rest/paging.ts'
import { pagingParameters } from '../../rest/parameters.ts'
import { requireDocument } from '../../rest/resource.ts'
import { requireDocumentProvider } from './document-provider.ts'
import { highlightingOf } from './highlighting.ts'
import { parseSearchRequest } from './search-request.ts'

export const providerNotFound = defineProblem(
  'providerNotFound',
  'notFound',
  (_: { name: string }) => 'Page provider given not found',
)

const childrenProvider = 'CURRENT_DOC_CHILDREN'

/** What a page provider finds for the document, whose id is its first parameter. */
export const providerAdapter: Adapter = {
  name: 'pp',
  summary: 'What a page provider finds; its first parameter is the id of the document. Without a name: the children',
  accepts: ['document'],
  tail: '{providerName}',
  query: Type.Object({
    ...pagingParameters,
    queryParams: Type.Optional(Type.String({ description: 'Further parameters, repeated for several' })),
    quickFilters: Type.Optional(Type.String({ description: 'Names of quick filters to switch on, separated by commas' })),
    highlight: Type.Optional(Type.String({ description: 'Fields to mark matches in, separated by commas' })),
  }),
  async resolve({ session, exchange, resource, tail }) {
    const document = requireDocument(resource)
    const { request } = exchange
    const name = tail.join('/') || childrenProvider
    const { maxResults: _ofTheProvider, ...paging } = parseAdapterPaging(request.query)
    const { parameters = [], ...asked } = parseSearchRequest(request)
    const provider = session.repository.pageProviders.find(name)
    if (provider === undefined) throw providerNotFound({ name })
    const ordered = hasPlaces(provider) ? [document.id, ...parameters] : parameters
    const wish = { ...asked, ...paging, parameters: ordered, currentDocument: document }
    const found = await runProvider(session, requireDocumentProvider(provider), wish)
    const highlighting = highlightingOf(request, found.query)
    return { kind: 'documents', ...found, ...(highlighting !== undefined && { highlighting }) }
  },
}

/** A provider that asks for no parameter is not given one. */
function hasPlaces({ pattern = '', whereClause }: PageProvider): boolean {
  return `${pattern}${whereClause?.fixedPart ?? ''}`.includes('?')
}
