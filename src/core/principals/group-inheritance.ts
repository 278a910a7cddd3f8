import { compareText } from '../../nxql/code-point-order.ts'
import type { DirectoryReader, SourcesByTarget } from '../../store/directories.ts'
import { groupMembers, subGroups } from '../directories/people.ts'
import { computeGroups } from './computed-groups.ts'
import type { PrincipalRules } from './principal-rules.ts'

/**
 * Every group that a user with an account belongs to: those it is listed in and all above them, then those that it has by the
 * configuration or by computation, and all above these.
 */
export async function listAllGroups(
  directories: DirectoryReader,
  rules: PrincipalRules,
  user: string,
): Promise<readonly string[]> {
  const listed = await directories.listAllSources(groupMembers, subGroups, [user])
  return joined(listed, await withThoseAbove(directories, listUnlistedGroups(rules, user)))
}

/** Every group that the user would belong to if it were listed in these. */
export async function listGroupsWith(
  directories: DirectoryReader,
  rules: PrincipalRules,
  user: string,
  direct: readonly string[],
): Promise<readonly string[]> {
  return withThoseAbove(directories, joined(direct, listUnlistedGroups(rules, user)))
}

/** The groups that a user with an account has without being listed in them. */
export function listUnlistedGroups(
  { defaultGroup, defaultAdministrators, administratorsGroups, groupComputers }: PrincipalRules,
  user: string,
  computed: readonly string[] = computeGroups({ groupComputers }, user),
): readonly string[] {
  return [
    ...(defaultGroup === undefined ? [] : [defaultGroup]),
    ...(defaultAdministrators.includes(user) ? administratorsGroups : []),
    ...computed,
  ]
}

async function withThoseAbove(directories: DirectoryReader, groups: readonly string[]): Promise<readonly string[]> {
  return groups.length === 0 ? groups : joined(groups, await directories.listAllSources(subGroups, subGroups, groups))
}

/** Which groups list users, and which groups these are in: enough to tell the groups of each. */
export interface GroupInheritance {
  listGroupsListing(user: string): readonly string[]
  /** The groups as they are given, then all above them in the order of their names. */
  withThoseAbove(groups: readonly string[]): readonly string[]
}

/** What is to be asked about these users and groups, read with as many statements for many as for one. */
export async function readGroupInheritance(
  directories: DirectoryReader,
  users: readonly string[],
  groups: readonly string[],
): Promise<GroupInheritance> {
  const ofUsers = await directories.mapSources(groupMembers, subGroups, users)
  const ofGroups = await directories.mapSources(subGroups, subGroups, [...new Set(groups)])
  const parents = new Map([...ofUsers.above, ...ofGroups.direct, ...ofGroups.above])
  return {
    listGroupsListing: (user) => ofUsers.direct.get(user) ?? [],
    withThoseAbove: (given) => joined(given, [...listAbove(parents, given)].sort(compareText)),
  }
}

/** A circle ends where it began. */
function listAbove(parents: SourcesByTarget, groups: readonly string[]): ReadonlySet<string> {
  const above = new Set<string>()
  const climb = (group: string) => {
    for (const parent of parents.get(group) ?? []) above.add(parent)
  }
  groups.forEach(climb)
  // A set that grows while it is gone through gives what was added, too.
  above.forEach(climb)
  return above
}

export function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : [...new Set([...first, ...second])]
}
