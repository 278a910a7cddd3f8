import { defineProblem } from '../../../base/problem.ts'
import { groupDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { findComputedGroup } from '../../../core/principals/computed-groups.ts'
import { listAllGroups } from '../../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'
import { requireNewName } from '../principal-name.ts'
import { requireNoUser } from '../principal-namesake.ts'
import { createRefusal } from '../refusals.ts'
import { requireFreedName } from '../removed-people.ts'
import { findConfigured } from '../users/stored-user.ts'
import { changedValues, type GroupChange } from './group-change.ts'
import { requireWritableGroups } from './group-directory.ts'
import { linkGroup } from './group-links.ts'
import { requireGroupEditor, requireMembersEditor } from './group-rights.ts'

export const groupWithoutName = defineProblem('groupWithoutName', 'invalid', (_: object) => 'Group MUST have a name')
export const groupExists = defineProblem('groupExists', 'conflict', (_: { name: string }) => 'Group already exists')

/**
 * Makes a group with the members and parents that it is to have, and gives its name.
 * @throws notAPeopleEditor, groupWithoutName, invalidPrincipalName, groupExists, nameOfUser, nameNotFreeYet, parentGroupNotFound, groupInItself
 */
export async function createGroup(
  session: WriteSession,
  services: PeopleServices,
  name: string | undefined,
  change: GroupChange,
): Promise<string> {
  requirePeopleEditor(session.principal, [], services.principalRules, createRefusal)
  const { directories } = session.tx
  await directories.lock()
  const namesakes = name ? await listGroupsOfNamesake(session, services, name) : []
  await requireGroupEditor(session, services, createRefusal, [...namesakes, ...(change.parentGroups ?? [])])
  await requireMembersEditor(session, services, createRefusal, name ?? '', change)
  if (!name) throw groupWithoutName({})
  requireNewName('The group name', name)
  const definition = requireWritableGroups(session)
  if (findComputedGroup(services.principalRules, name) !== undefined) throw groupExists({ name })
  await requireNoUser(session, services, name)
  await requireFreedName(session, name)
  const entry = storedEntry(definition, { id: name, values: changedValues(name, {}, change) })
  if (!(await directories.insert(groupDirectory, entry))) throw groupExists({ name })
  await linkGroup(directories, name, change)
  await announceToServer(session, 'group_created', { category: userGroupCategory, properties: { id: name } })
  return name
}

/** Rights are granted to names: who is in a group that is called like an administrator has the rights of that one. */
async function listGroupsOfNamesake(session: WriteSession, services: PeopleServices, name: string): Promise<readonly string[]> {
  const listed = await listAllGroups(session.tx.directories, services.principalRules, name)
  return [name, ...listed, ...((await findConfigured(services, name))?.groups ?? [])]
}
