import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Criteria, parametersOf, type SavedSearch } from './criteria.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'
import { searchProvider } from './search.ts'

/** Those that somebody can see, their own and those that others share, by title. */
export const savedSearchesQuery = queryOptions({
  queryKey: [...documentKeys.all, 'saved-searches'] as const,
  queryFn: async ({ signal }) => {
    const query = { pageProvider: searchProvider, pageSize: 100 }
    const headers = { properties: 'default_search' }
    return (await call<components['schemas']['SavedSearches']>('search/saved', { signal, query, headers })).entries
  },
})

export interface SearchToKeep {
  readonly title: string
  readonly criteria: Criteria
}

/** In the own workspace of whoever keeps it. @throws Problem */
export function keepSearch(search: SearchToKeep): Promise<SavedSearch> {
  return call<SavedSearch>('search/saved', { method: 'POST', json: entityOf(search) })
}

/** @throws Problem */
export function replaceSearch({ id, ...search }: SearchToKeep & { readonly id: string }): Promise<SavedSearch> {
  return call<SavedSearch>(`search/saved/${encodeURIComponent(id)}`, { method: 'PUT', json: entityOf(search) })
}

/** @throws Problem */
export function forgetSearch(id: string): Promise<void> {
  return call<void>(`search/saved/${encodeURIComponent(id)}`, { method: 'DELETE' })
}

function entityOf({ title, criteria }: SearchToKeep) {
  const { sort } = criteria
  return {
    'entity-type': 'savedSearch',
    title,
    pageProviderName: searchProvider,
    params: parametersOf(criteria),
    ...(sort && { sortBy: sort.by, sortOrder: sort.order }),
  }
}
