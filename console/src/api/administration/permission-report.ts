import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import { administrationKeys, type EntityPages, rowsAtOnce } from './entity-pages.ts'

type Schemas = components['schemas']
export type PermissionHolder = Schemas['PermissionHolder']
export type PermissionPlace = Schemas['PermissionPlace']
export type GrantedPlace = Schemas['GrantedPlace']
type Holders = Schemas['PermissionHolders']
type Places = Schemas['GrantedPlaces']

export interface DocumentQuestion {
  /** Its id or path. */
  readonly document: string
  readonly permission: string
}

/** People who have a permission on a document, or all whom entries name. A page may show fewer than were looked at. */
export function holdersQuery(of: 'people' | 'named', { document, permission }: DocumentQuestion) {
  return infiniteQueryOptions({
    queryKey: [...administrationKeys.all, 'permissions', of, document, permission] as const,
    queryFn: ({ signal, pageParam }) =>
      call<Holders>(`management/permissions/${of}`, {
        signal,
        query: { document, permission, pageSize: rowsAtOnce, currentPageIndex: pageParam },
      }),
    initialPageParam: 0,
    getNextPageParam: ({ resultsCount }, pages) => (pages.length * rowsAtOnce < resultsCount ? pages.length : undefined),
    retry: false,
  })
}

const fetchPlaces = (name: string, page: number, signal: AbortSignal) =>
  call<Places>('management/permissions/places', { signal, query: { name, pageSize: rowsAtOnce, currentPageIndex: page } })

/** Where a user or group was given or denied something. */
export function placesOf(name: string): EntityPages<GrantedPlace> {
  return { key: ['granted-places', name], fetch: (page, signal) => fetchPlaces(name, page, signal) }
}

/** Who it is, and by which names entries concern it. */
export function subjectQuery(name: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'granted-places', name, 0] as const,
    queryFn: ({ signal }) => fetchPlaces(name, 0, signal),
    retry: false,
  })
}
