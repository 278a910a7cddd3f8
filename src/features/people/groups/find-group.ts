import { defineProblem } from '../../../base/problem.ts'
import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import { findComputedGroup } from '../../../core/principals/computed-groups.ts'
import type { Session } from '../../../core/session.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import type { PeopleServices } from '../people-services.ts'

export const groupNotFound = defineProblem('groupNotFound', 'notFound', (_: { name: string }) => 'group does not exist')

export const groupIsComputed = defineProblem(
  'groupIsComputed',
  'conflict',
  (of: { name: string }) => `The group ${of.name} is computed by the server's configuration and cannot be changed here.`,
)

/** A group of the directory, or one that users are given by the configuration. */
export async function findGroup(
  session: Session,
  { principalRules }: PeopleServices,
  name: string,
): Promise<DirectoryEntry | undefined> {
  const stored = await directoriesSeenBy(session).find(groupDirectory, name)
  if (stored !== undefined) return stored
  const computed = findComputedGroup(principalRules, name)
  return computed && { id: name, values: { groupname: name, grouplabel: computed.label } }
}

/** @throws groupNotFound */
export async function requireGroup(session: Session, services: PeopleServices, name: string): Promise<void> {
  if ((await findGroup(session, services, name)) === undefined) throw groupNotFound({ name })
}

/** A group that can be changed. @throws groupNotFound, groupIsComputed */
export async function readStoredGroup(
  session: Session,
  { principalRules }: PeopleServices,
  name: string,
): Promise<DirectoryEntry> {
  const stored = await directoriesSeenBy(session).find(groupDirectory, name)
  if (stored !== undefined) return stored
  if (findComputedGroup(principalRules, name) !== undefined) throw groupIsComputed({ name })
  throw groupNotFound({ name })
}
