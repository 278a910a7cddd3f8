import { groupMembers, subGroups } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import type { Services } from '../../../rest/services.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { readStoredGroup } from '../groups/find-group.ts'
import { searchGroups } from '../groups/search-groups.ts'
import type { OpenPeople } from './open-people.ts'

/** A group as lists show it, for people and scripts. */
export interface ListedGroup {
  readonly groupname: string
  readonly grouplabel: string | null
  readonly description: string | null
}

export interface ShownGroup extends ListedGroup {
  readonly memberUsers: readonly string[]
  readonly memberGroups: readonly string[]
  readonly parentGroups: readonly string[]
}

/** @throws groupNotFound */
export function describeGroup({ services, access }: OpenPeople, name: string): Promise<ShownGroup> {
  return access.read(async (session) => {
    const { directories } = session.reader
    return {
      ...listed(await readStoredGroup(session, services, name)),
      memberUsers: await directories.listTargets(groupMembers, name),
      memberGroups: await directories.listTargets(subGroups, name),
      parentGroups: await directories.listSources(subGroups, name),
    }
  })
}

/** All groups that a term finds, `*` all there are. */
export async function listGroupsLike(session: Session, services: Services, term: string): Promise<readonly ListedGroup[]> {
  const { entries } = await searchGroups(session, services, { term, offset: 0, limit: Number.MAX_SAFE_INTEGER })
  return entries.map(listed)
}

function listed({ id: groupname, values }: DirectoryEntry): ListedGroup {
  const text = (field: string) => (typeof values[field] === 'string' ? values[field] : null)
  return { groupname, grouplabel: text('grouplabel'), description: text('description') }
}
