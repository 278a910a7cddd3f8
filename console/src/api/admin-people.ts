import { queryOptions } from '@tanstack/react-query'
import { administrationKeys, type EntityPage, type EntityPages, rowsAtOnce } from './administration.ts'
import { call } from './client.ts'
import type { User } from './types.ts'

const encoded = encodeURIComponent

/** Everybody, or whose names begin so. */
export function usersWith(term: string): EntityPages<User> {
  return {
    key: ['users', term],
    fetch: (page, signal) =>
      call<EntityPage<User>>('user/search', {
        signal,
        query: { q: term.trim() || '*', unlimited: true, pageSize: rowsAtOnce, currentPageIndex: page },
      }),
  }
}

export function userQuery(name: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'user', name] as const,
    queryFn: ({ signal }) => call<User>(`user/${encoded(name)}`, { signal }),
  })
}

/** What administrators write of an account; a password that is empty stays as it is. */
export type UserProperties = { readonly [field: string]: string | readonly string[] | null }

/** @throws Problem */
export function createUser(properties: UserProperties): Promise<User> {
  return call<User>('user', { method: 'POST', json: { 'entity-type': 'user', properties } })
}

/** @throws Problem */
export function changeUser(name: string, properties: UserProperties): Promise<User> {
  return call<User>(`user/${encoded(name)}`, { method: 'PUT', json: { 'entity-type': 'user', id: name, properties } })
}

/** @throws Problem */
export function deleteUser(name: string): Promise<void> {
  return call<void>(`user/${encoded(name)}`, { method: 'DELETE' })
}
