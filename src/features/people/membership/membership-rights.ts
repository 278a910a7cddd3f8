import { groupMembers, subGroups } from '../../../core/directories/people.ts'
import { listUnlistedGroups } from '../../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { PrincipalRules } from '../../../core/principals/principal-rules.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'

/** Who comes into a group or leaves it. */
export interface ChangedMembers {
  readonly users?: readonly string[]
  readonly groups?: readonly string[]
}

/**
 * For changes of the members of a group, one by one or all at once: power users neither touch what is part of an administrators'
 * group nor choose the groups of a user who is in one (people 3.5, 3.7).
 * @throws notAPeopleEditor
 */
export async function requireMembershipEditor(
  { principal, tx }: WriteSession,
  { principalRules }: PeopleServices,
  refusal: string,
  group: string,
  { users = [], groups = [] }: ChangedMembers,
): Promise<void> {
  if (principal.isAdministrator) return
  const direct = [...new Set([group, ...groups, ...users.flatMap((user) => groupsWithoutListing(principalRules, user))])]
  const above = await tx.directories.listAllSources(subGroups, subGroups, direct)
  const ofUsers = await tx.directories.listAllSources(groupMembers, subGroups, users)
  requirePeopleEditor(principal, [...direct, ...above, ...ofUsers], principalRules, refusal)
}

function groupsWithoutListing(rules: PrincipalRules, user: string): readonly string[] {
  const declared = rules.virtualUsers.find(({ name }) => name === user)?.groups ?? []
  return [...declared, ...listUnlistedGroups(rules, user)]
}
