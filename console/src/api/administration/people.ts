import { queryOptions } from '@tanstack/react-query'
import { call } from '../client.ts'
import type { components } from '../entities.ts'
import type { User } from '../types.ts'
import { administrationKeys, type EntityPage, type EntityPages, rowsAtOnce } from './entity-pages.ts'

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

type Schemas = components['schemas']
export type Group = Schemas['Group']
export type Membership = Schemas['Membership']

/** Every group of somebody, and why. */
export function membershipsQuery(user: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'memberships', user] as const,
    queryFn: async ({ signal }) =>
      (await call<Schemas['Memberships']>('management/memberships', { signal, query: { user } })).entries,
  })
}

export function groupsWith(term: string): EntityPages<Group> {
  return {
    key: ['groups', term],
    fetch: (page, signal) =>
      call<EntityPage<Group>>('group/search', {
        signal,
        query: { q: term.trim() || '*', pageSize: rowsAtOnce, currentPageIndex: page },
      }),
  }
}

export function groupQuery(name: string) {
  return queryOptions({
    queryKey: [...administrationKeys.all, 'group', name] as const,
    queryFn: ({ signal }) => readGroup(name, signal),
  })
}

/** With the groups in it and around it. @throws Problem */
function readGroup(name: string, signal?: AbortSignal): Promise<Group> {
  return call<Group>(`group/${encoded(name)}`, {
    ...(signal !== undefined && { signal }),
    headers: { 'fetch.group': 'memberGroups,parentGroups' },
  })
}

/** Users who are in a group by themselves, and whose names begin so. */
export function membersOf(group: string, term: string): EntityPages<User> {
  return {
    key: ['members', group, term],
    fetch: (page, signal) =>
      call<EntityPage<User>>(`group/${encoded(group)}/@users`, {
        signal,
        query: { q: term.trim(), pageSize: rowsAtOnce, currentPageIndex: page },
      }),
  }
}

export type GroupProperties = { readonly [field: string]: string }

interface GroupChange {
  readonly properties?: GroupProperties
  readonly memberGroups?: readonly string[]
}

/** @throws Problem */
export function createGroup(id: string, change: GroupChange): Promise<Group> {
  return call<Group>('group', { method: 'POST', json: { 'entity-type': 'group', id, ...change } })
}

/** @throws Problem */
export function changeGroup(id: string, change: GroupChange): Promise<Group> {
  return call<Group>(`group/${encoded(id)}`, { method: 'PUT', json: { 'entity-type': 'group', id, ...change } })
}

interface SubgroupsChange {
  /** As they were shown. */
  readonly before: readonly string[]
  readonly wanted: readonly string[]
}

/**
 * Only what was put in or taken out here: what others did since the groups were shown stays so, though they are stored as one list.
 *
 * @throws Problem
 */
export async function changeSubgroups(id: string, { before, wanted }: SubgroupsChange): Promise<Group> {
  const { memberGroups: stored = [] } = await readGroup(id)
  const kept = stored.filter((group) => wanted.includes(group) || !before.includes(group))
  const added = wanted.filter((group) => !before.includes(group) && !stored.includes(group))
  return changeGroup(id, { memberGroups: [...kept, ...added] })
}

/** @throws Problem */
export function deleteGroup(name: string): Promise<void> {
  return call<void>(`group/${encoded(name)}`, { method: 'DELETE' })
}

export interface MemberChange {
  readonly group: string
  readonly user: string
}

/** @throws Problem */
export function addMember({ group, user }: MemberChange): Promise<User> {
  return call<User>(`group/${encoded(group)}/user/${encoded(user)}`, { method: 'POST' })
}

/** @throws Problem */
export function removeMember({ group, user }: MemberChange): Promise<string> {
  return call<string>(`group/${encoded(group)}/user/${encoded(user)}`, { method: 'DELETE' })
}
