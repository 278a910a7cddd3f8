import type { DirectoryReader } from '../../store/directories.ts'
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
  computed: readonly string[] = computeGroups(rules, user),
): Promise<readonly string[]> {
  const listed = await listListedGroups(directories, user)
  return joined(listed, await withThoseAbove(directories, unlistedGroups(rules, user, computed)))
}

/** Every group that the user would belong to if it were listed in these. */
export async function listGroupsWith(
  directories: DirectoryReader,
  rules: PrincipalRules,
  user: string,
  direct: readonly string[],
  computed: readonly string[] = computeGroups(rules, user),
): Promise<readonly string[]> {
  return withThoseAbove(directories, joined(direct, unlistedGroups(rules, user, computed)))
}

/** The groups that a user is listed in, and all above them. */
export function listListedGroups(directories: DirectoryReader, user: string): Promise<readonly string[]> {
  return directories.listAllSources(groupMembers, subGroups, [user])
}

function unlistedGroups(rules: PrincipalRules, user: string, computed: readonly string[]): readonly string[] {
  const { defaultGroup, defaultAdministrators, administratorsGroups } = rules
  return [
    ...(defaultGroup === undefined ? [] : [defaultGroup]),
    ...(defaultAdministrators.includes(user) ? administratorsGroups : []),
    ...computed,
  ]
}

async function withThoseAbove(directories: DirectoryReader, groups: readonly string[]): Promise<readonly string[]> {
  return groups.length === 0 ? groups : joined(groups, await directories.listAllSources(subGroups, subGroups, groups))
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  return second.length === 0 ? first : [...new Set([...first, ...second])]
}
