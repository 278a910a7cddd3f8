import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { Static } from '../../rest/openapi/schema.ts'
import { searchPagingOf } from '../../rest/request/paging.ts'
import type { providerParameters } from './search-parameters.ts'

/** What was sent of what every search declares. */
export interface SentSearch {
  readonly query: Static<typeof providerParameters>
  readonly headers: { readonly SkipAggregates?: boolean }
}

/** What the parameters and headers of a request ask of a page provider. */
export function searchRequestOf({ query, headers }: SentSearch): ProviderRequest {
  const { maxResults: _ofTheProvider, ...paging } = searchPagingOf(query)
  const { queryParams: parameters = [], named, quickFilters = [] } = query
  return {
    ...paging,
    parameters,
    named,
    ...(quickFilters.length > 0 && { quickFilters }),
    ...(headers.SkipAggregates && { skipsAggregates: true }),
  }
}
