import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type KeptSearch, parametersOf, type SavedSearch } from './criteria.ts'
import { documentKeys } from './documents.ts'
import type { components } from './entities.ts'
import { searchProvider } from './search.ts'

/** Those that somebody can see and this console can show, their own and those that others share, by title. */
export const savedSearchesQuery = queryOptions({
  queryKey: [...documentKeys.all, 'saved-searches'] as const,
  queryFn: async ({ signal }) => {
    const query = { pageSize: 100 }
    const headers = { properties: 'default_search' }
    const { entries } = await call<components['schemas']['SavedSearches']>('search/saved', { signal, query, headers })
    return entries.filter((one) => one.pageProviderName === searchProvider || one.queryLanguage?.toUpperCase() === 'NXQL')
  },
})

export interface SearchToKeep {
  readonly title: string
  readonly kept: KeptSearch
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

function entityOf({ title, kept }: SearchToKeep) {
  const entity = { 'entity-type': 'savedSearch', title }
  if ('nxql' in kept) return { ...entity, query: kept.nxql, queryLanguage: 'NXQL' }
  const { sort } = kept.criteria
  return {
    ...entity,
    pageProviderName: searchProvider,
    params: parametersOf(kept.criteria),
    ...(sort && { sortBy: sort.by, sortOrder: sort.order }),
  }
}
