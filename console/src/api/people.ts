import { queryOptions } from '@tanstack/react-query'
import { call, Problem } from './client.ts'
import { createTurns } from './turns.ts'
import type { User } from './types.ts'

/** A user or group as one shows it. */
export interface Person {
  /** As permissions and properties name it, without what it is before it. */
  readonly name: string
  readonly kind: 'user' | 'group'
  readonly label: string
  readonly hint?: string
  /** The address of a picture. */
  readonly picture?: string
}

export type Profile = {
  readonly avatar?: { readonly data: string } | null
  readonly locale?: string | null
  readonly phonenumber?: string | null
}

export function profileOf({ contextParameters }: User): Profile {
  return (contextParameters?.userprofile ?? {}) as Profile
}

export function fullNameOf({ id, properties }: Pick<User, 'id' | 'properties'>): string {
  const { firstName, lastName } = properties as { firstName?: string | null; lastName?: string | null }
  return [firstName, lastName].filter(Boolean).join(' ') || id
}

/** A reference as documents and workflows have it: `user:alice`, `group:members`, or a bare name. */
export function nameIn(reference: string): string {
  return reference.replace(/^(?:user|group):/, '')
}

const rarely = { staleTime: 5 * 60_000, gcTime: 30 * 60_000 }

/** A list that is scrolled through names dozens at once: who is out of view before their turn is not asked for. */
const inTurn = createTurns(4)

/** Nobody known by the name is told by it: accounts go, and what they wrote stays. */
export function personQuery(reference: string) {
  const name = nameIn(reference)
  return queryOptions({
    queryKey: ['people', 'one', name] as const,
    queryFn: async ({ signal }): Promise<Person> => {
      try {
        const user = await inTurn(signal, () =>
          call<User>(`user/${encodeURIComponent(name)}`, { signal, headers: { 'enrichers.user': 'userprofile' } }),
        )
        const picture = profileOf(user).avatar?.data
        return { name, kind: 'user', label: fullNameOf(user), ...(picture !== undefined && { picture }) }
      } catch (error) {
        if (error instanceof Problem && error.status === 404) return { name, kind: 'user', label: name }
        throw error
      }
    },
    ...rarely,
  })
}

/** All that one may know of somebody, with their groups. */
export function userQuery(name: string) {
  return queryOptions({
    queryKey: ['people', 'whole', name] as const,
    queryFn: ({ signal }) =>
      call<User>(`user/${encodeURIComponent(name)}`, { signal, headers: { 'enrichers.user': 'userprofile' } }),
  })
}

interface Suggested {
  readonly id?: string
  readonly displayLabel: string
  readonly type?: 'USER_TYPE' | 'GROUP_TYPE'
  readonly email?: string | null
}

/** Users, and groups where these may be meant, by the beginnings of their names. */
export function suggestedPeopleQuery(term: string, takesGroups: boolean) {
  return queryOptions({
    queryKey: ['people', 'suggested', term, takesGroups] as const,
    queryFn: async ({ signal }): Promise<readonly Person[]> => {
      const params = { searchTerm: term, ...(!takesGroups && { searchType: 'USER_TYPE' }) }
      const json = { params, context: {} }
      const found = await call<readonly Suggested[]>('automation/UserGroup.Suggestion', { method: 'POST', json, signal })
      // Too many are told in a sentence without an id.
      return found.flatMap(({ id, displayLabel, type, email }) =>
        id === undefined
          ? []
          : {
              name: id,
              kind: type === 'GROUP_TYPE' ? ('group' as const) : ('user' as const),
              label: displayLabel || id,
              ...(email && { hint: email }),
            },
      )
    },
    enabled: term.trim() !== '',
    staleTime: 30_000,
  })
}

/** Members write rules, and attach them to whatever they may read; the server knows the group by this name. */
const recordManagers = 'RecordManager'

export function managesRecords({ isAdministrator, extendedGroups }: Pick<User, 'isAdministrator' | 'extendedGroups'>): boolean {
  return isAdministrator || extendedGroups.some(({ name }) => name === recordManagers)
}
