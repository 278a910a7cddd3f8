import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { listNames, parsePaging } from '../../rest/request/paging.ts'
import { type ApiRequest, findHeader } from '../../rest/request/request.ts'

/** What the parameters and headers of a request ask of a page provider. @throws invalidNumber */
export function parseSearchRequest(request: Pick<ApiRequest, 'query' | 'headers'>): ProviderRequest {
  const { query } = request
  const { maxResults: _ofTheProvider, ...paging } = parsePaging(query)
  const quickFilters = listNames(query, 'quickFilters')
  return {
    ...paging,
    parameters: query.getAll('queryParams'),
    named: namedParameters(query),
    ...(quickFilters.length > 0 && { quickFilters }),
    ...(findHeader(request, 'skipaggregates')?.toLowerCase() === 'true' && { skipsAggregates: true }),
  }
}

/** Those that mean something else besides are offered all the same: nobody asks for them by accident. */
export function namedParameters(query: URLSearchParams): { readonly [name: string]: string } {
  const named = new Map<string, string>()
  for (const [name, value] of query) if (!named.has(name)) named.set(name, value)
  return Object.fromEntries(named)
}
