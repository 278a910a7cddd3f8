import { userDirectory } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { searchUsers } from '../users/search-users.ts'
import { userNotFound } from '../users/stored-user.ts'
import type { OpenPeople } from './open-people.ts'

/** A user as lists show it, for people and scripts. */
export interface ListedUser {
  readonly username: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly company: string | null
  readonly email: string | null
}

export interface ShownUser extends ListedUser {
  readonly groups: readonly string[]
  /** Also those that the user is in through others. */
  readonly allGroups: readonly string[]
  readonly isAdministrator: boolean
}

/** @throws userNotFound */
export async function describeUser({ services }: OpenPeople, name: string): Promise<ShownUser> {
  const user = await services.principals.findUser(name)
  if (user === undefined) throw userNotFound({ name })
  return {
    ...listed({ id: name, values: user.properties }),
    groups: user.ownGroups,
    allGroups: user.principal.groups,
    isAdministrator: user.principal.isAdministrator,
  }
}

const usersAtOnce = 1_000

/** All users that a term finds, `*` all there are. */
export async function listUsersLike(session: Session, services: Services, term: string): Promise<readonly ListedUser[]> {
  const users: ListedUser[] = []
  for (let offset = 0; ; offset += usersAtOnce) {
    // Who types at a terminal can stop by other means than a limit.
    const found = await searchUsers(session, services, { term, offset, limit: usersAtOnce, maxFound: 0 })
    const names = found.kind === 'found' ? found.names : []
    users.push(...(await session.reader.directories.findAll(userDirectory, names)).map(listed))
    if (names.length < usersAtOnce) return users
  }
}

function listed({ id: username, values }: DirectoryEntry): ListedUser {
  const text = (field: string) => (typeof values[field] === 'string' ? values[field] : null)
  const [firstName, lastName, company, email] = ['firstName', 'lastName', 'company', 'email'].map(text)
  return { username, firstName: firstName ?? null, lastName: lastName ?? null, company: company ?? null, email: email ?? null }
}
