import { groupDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'
import { editRefusal } from '../refusals.ts'
import { readStoredGroup } from './find-group.ts'
import { changedValues, type GroupChange } from './group-change.ts'
import { requireWritableGroups } from './group-directory.ts'
import { linkGroup } from './group-links.ts'
import { requireGroupEditor, requireMembersEditor } from './group-rights.ts'

/**
 * Changes what is sent of a group and leaves the rest.
 * @throws notAPeopleEditor, groupNotFound, groupIsComputed, directoryReadOnly, parentGroupNotFound, groupInItself
 */
export async function updateGroup(
  session: WriteSession,
  services: PeopleServices,
  name: string,
  change: GroupChange,
): Promise<void> {
  requirePeopleEditor(session.principal, [], services.principalRules, editRefusal)
  const { directories } = session.tx
  await directories.lock()
  const stored = await readStoredGroup(session, services, name)
  await requireGroupEditor(session, services, editRefusal, [name, ...(change.parentGroups ?? [])])
  await requireMembersEditor(session, services, editRefusal, name, change)
  const definition = requireWritableGroups(session)
  const values = changedValues(name, stored.values, change)
  await directories.update(groupDirectory, storedEntry(definition, { id: name, values }))
  await linkGroup(directories, name, change)
  await announceToServer(session, 'group_modified', { category: userGroupCategory, properties: { id: name } })
}
