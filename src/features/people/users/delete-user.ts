import { groupMembers, userDirectory } from '../../../core/directories/people.ts'
import { releaseName } from '../../../core/principals/name-holder.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'
import { leaveRightsToRemove } from '../removed-people.ts'
import { readEditableUser, userNotFound } from './stored-user.ts'
import { requireWritableUsers } from './user-directory.ts'

/**
 * Removes a user, also from the groups that list it, and in the background what it was granted. Its documents and its workspace
 * stay.
 * @throws userNotFound, notAPeopleEditor, userIsConfigured, directoryReadOnly
 */
export async function deleteUser(session: WriteSession, services: PeopleServices, name: string): Promise<void> {
  const { directories } = session.tx
  await readEditableUser(session, services, name)
  await directories.lock()
  // The transaction that was waited for may have made an administrator of the user.
  await readEditableUser(session, services, name)
  requireWritableUsers(session)
  await directories.removeSources(groupMembers, name)
  if (!(await directories.remove(userDirectory, name))) throw userNotFound({ name })
  await leaveRightsToRemove(session, services, name)
  await releaseName(session, name)
  await announceToServer(session, 'user_deleted', { category: userGroupCategory, properties: { id: name } })
}
