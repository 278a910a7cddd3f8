import { defineProblem } from '../../base/problem.ts'
import { groupDirectory } from '../../core/directories/people.ts'
import { storedEntry } from '../../core/directories/stored-entry.ts'
import { findComputedGroup } from '../../core/principals/computed-groups.ts'
import { listAllGroups } from '../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../core/server-event.ts'
import type { WriteSession } from '../../core/session.ts'
import { everyone } from '../../model/principal.ts'
import { changedValues, type GroupChange } from './group-change.ts'
import { requireWritableGroups } from './group-directory.ts'
import { linkGroup } from './group-links.ts'
import { requireGroupEditor } from './group-rights.ts'
import type { PeopleServices } from './people-services.ts'
import { invalidPrincipalName, requireNewName } from './principal-name.ts'
import { createRefusal } from './refusals.ts'

export const groupWithoutName = defineProblem('groupWithoutName', 'invalid', (_: object) => 'Group MUST have a name')
export const groupExists = defineProblem('groupExists', 'conflict', (_: { name: string }) => 'Group already exists')

/**
 * Makes a group with the members and parents that it is to have, and gives its name.
 * @throws notAPeopleEditor, groupWithoutName, invalidPrincipalName, groupExists, parentGroupNotFound, groupInItself
 */
export async function createGroup(
  session: WriteSession,
  services: PeopleServices,
  name: string | undefined,
  change: GroupChange,
): Promise<string> {
  requirePeopleEditor(session.principal, [], services.principalRules, createRefusal)
  const { directories } = session.tx
  await directories.hold()
  // Rights are granted to names: who is in a group that is called like an administrator has the rights of that one.
  const namesakes = name ? [name, ...(await listAllGroups(directories, services.principalRules, name))] : []
  await requireGroupEditor(session, services, createRefusal, [...namesakes, ...(change.parentGroups ?? [])])
  if (!name) throw groupWithoutName({})
  requireGroupName(name)
  const definition = requireWritableGroups(session)
  if (findComputedGroup(services.principalRules, name) !== undefined) throw groupExists({ name })
  const entry = storedEntry(definition, { id: name, values: changedValues(name, {}, change) })
  if (!(await directories.insert(groupDirectory, entry))) throw groupExists({ name })
  await linkGroup(directories, name, change)
  await announceToServer(session, 'group_created', { category: userGroupCategory, properties: { id: name } })
  return name
}

function requireGroupName(name: string): void {
  requireNewName('The group name', name)
  if (name === everyone) {
    throw invalidPrincipalName({ place: 'The group name', name, reason: 'stands for all users. Choose another name.' })
  }
}
