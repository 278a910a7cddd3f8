import type { OperationServices } from '../../automation/context.ts'
import type { Session } from '../../core/session.ts'
import { searchGroups, searchUsers } from '../people/index.ts'
import type { Suggestion } from './suggestion.ts'

const mostOfAKind = 5

/** Users whose name begins with the term; none when there are too many of them to be searched. */
export async function suggestUsers(session: Session, services: OperationServices, term: string): Promise<readonly Suggestion[]> {
  const found = await searchUsers(session, services, { term, offset: 0, limit: mostOfAKind })
  const names = found.kind === 'found' ? found.names : []
  const users = await Promise.all(names.map((name) => services.principals.findUser(name)))
  return users.flatMap((user) => {
    if (user === undefined) return []
    const { firstName, lastName } = user.properties
    const full = [firstName, lastName].filter((part) => typeof part === 'string' && part !== '').join(' ')
    return suggestionOf('user', user.principal.name, full)
  })
}

/** Groups whose name or label begins with the term. */
export async function suggestGroups(session: Session, services: OperationServices, term: string): Promise<readonly Suggestion[]> {
  const { entries } = await searchGroups(session, services, { term, offset: 0, limit: mostOfAKind })
  return entries.map(({ id, values: { grouplabel } }) =>
    suggestionOf('group', id, typeof grouplabel === 'string' ? grouplabel : ''),
  )
}

function suggestionOf(type: 'user' | 'group', id: string, label: string): Suggestion {
  const url = `${type}/${encodeURIComponent(id)}`
  return { id, label: label || id, type, icon: null, thumbnailUrl: null, url, highlights: [] }
}
