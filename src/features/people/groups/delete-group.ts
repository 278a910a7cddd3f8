import { groupDirectory, groupMembers, subGroups } from '../../../core/directories/people.ts'
import { noteRelease } from '../../../core/principals/name-holder.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'
import { editRefusal } from '../refusals.ts'
import { leaveRightsToRemove } from '../removed-people.ts'
import { readStoredGroup } from './find-group.ts'
import { requireWritableGroups } from './group-directory.ts'
import { requireGroupEditor } from './group-rights.ts'

/**
 * Removes a group from its users and from other groups, and in the background what it was granted. Its members, users and groups
 * alike, stay.
 * @throws notAPeopleEditor, groupNotFound, groupIsComputed, directoryReadOnly
 */
export async function deleteGroup(session: WriteSession, services: PeopleServices, name: string): Promise<void> {
  requirePeopleEditor(session.principal, [], services.principalRules, editRefusal)
  const { directories } = session.tx
  await directories.lock()
  await readStoredGroup(session, services, name)
  await requireGroupEditor(session, services, editRefusal, [name])
  requireWritableGroups(session)
  await directories.removeSources(subGroups, name)
  await directories.replaceTargets(subGroups, name, [])
  await directories.replaceTargets(groupMembers, name, [])
  await directories.remove(groupDirectory, name)
  await leaveRightsToRemove(session, services, name)
  await noteRelease(session, name)
  await announceToServer(session, 'group_deleted', { category: userGroupCategory, properties: { id: name } })
}
