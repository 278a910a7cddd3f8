import { groupMembers, subGroups } from '../../../core/directories/people.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { WriteSession } from '../../../core/session.ts'
import { requireMembershipEditor } from '../membership/membership-rights.ts'
import type { PeopleServices } from '../people-services.ts'
import type { GroupChange } from './group-change.ts'

/**
 * For changing or making a group, given with the parents that it gets beside those it has: a power user can neither change what is
 * part of an administrators' group nor make it so.
 * @throws notAPeopleEditor
 */
export async function requireGroupEditor(
  session: WriteSession,
  { principalRules }: PeopleServices,
  refusal: string,
  groups: readonly string[],
): Promise<void> {
  if (session.principal.isAdministrator) return
  const above = await session.tx.directories.listAllSources(subGroups, subGroups, groups)
  requirePeopleEditor(session.principal, [...groups, ...above], principalRules, refusal)
}

/** For the members that a group is to have: those that stay are not checked. @throws notAPeopleEditor */
export async function requireMembersEditor(
  session: WriteSession,
  services: PeopleServices,
  refusal: string,
  name: string,
  { memberUsers, memberGroups }: Pick<GroupChange, 'memberUsers' | 'memberGroups'>,
): Promise<void> {
  if (session.principal.isAdministrator) return
  const users = await listChanged(session, groupMembers, name, memberUsers)
  const groups = await listChanged(session, subGroups, name, memberGroups)
  await requireMembershipEditor(session, services, refusal, name, { users, groups })
}

async function listChanged(
  { tx }: WriteSession,
  reference: string,
  name: string,
  wanted: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (wanted === undefined) return []
  return [...new Set(wanted).symmetricDifference(new Set(await tx.directories.listTargets(reference, name)))]
}
