import { subGroups } from '../../../core/directories/people.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'

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
