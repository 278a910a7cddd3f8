import { directoriesSeenBy } from '../../../core/directories/directories-seen-by.ts'
import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import type { Session } from '../../../core/session.ts'
import { findParameter, readParameter } from '../../../rest/entity-provider.ts'
import type { EntityProvider, FoundEntities, WantedEntities } from '../../../rest/services.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import { peoplePages } from '../people-list.ts'
import { requireGroup } from './find-group.ts'
import { searchGroups } from './search-groups.ts'

/** Groups by the beginning of their name or label, which is the parameter: `*` for all, nothing for none. */
export const groupListing: EntityProvider = {
  ...peoplePages,
  name: 'platform_groups_listing',
  listType: 'groups',
  entityType: 'group',
  async list({ session, services, request, offset, limit }) {
    const term = findParameter(request, 0, 'q') ?? ''
    const { entries, total } = await searchGroups(session, services, { term, offset, limit })
    return { values: entries, total }
  },
}

/** Users that are listed in a group, in its order. Names of users that are gone are counted, and shown by nothing. */
export const memberUsersListing: EntityProvider = {
  ...peoplePages,
  name: 'platform_group_member_users_listing',
  listType: 'users',
  entityType: 'user',
  list: (wanted) => listMembers(wanted, groupMembers, async (ids) => ids),
}

/** Groups that are listed in a group, in its order. */
export const memberGroupsListing: EntityProvider = {
  ...peoplePages,
  name: 'platform_group_member_groups_listing',
  listType: 'groups',
  entityType: 'group',
  list: (wanted) => listMembers(wanted, subGroups, (ids) => findEntries(wanted.session, ids)),
}

export const groupListings: readonly EntityProvider[] = [
  groupListing,
  { ...groupListing, name: 'groups_listing' },
  memberUsersListing,
  memberGroupsListing,
]

/** The parameters are the group and how the names of its members begin; `*` or nothing for all. */
async function listMembers(
  { session, services, request, offset, limit }: WantedEntities,
  reference: string,
  valuesOf: (ids: readonly string[]) => Promise<readonly unknown[]>,
): Promise<FoundEntities> {
  const group = readParameter(request, 0, 'group')
  await requireGroup(session, services, group)
  const part = { prefix: prefixOf(findParameter(request, 1, 'q')), offset, limit }
  const { ids, total } = await directoriesSeenBy(session).listTargetPage(reference, group, part)
  return { values: await valuesOf(ids), total }
}

/** All at once; of a group that is in no directory the name remains, which may be that of a computed one. */
async function findEntries(session: Session, names: readonly string[]): Promise<readonly (DirectoryEntry | string)[]> {
  const entries = await directoriesSeenBy(session).findAll(groupDirectory, names)
  const byName = new Map(entries.map((entry) => [entry.id, entry]))
  return names.map((name) => byName.get(name) ?? name)
}

function prefixOf(term = ''): string {
  const prefix = term.trim()
  return prefix === '*' ? '' : prefix
}
