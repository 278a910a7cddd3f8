import { userDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { listGroupsWith } from '../../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import type { PeopleServices } from '../people-services.ts'
import { editRefusal } from '../refusals.ts'
import { prepareChange } from './new-password.ts'
import { readEditableUser, userNotFound } from './stored-user.ts'
import type { PreparedChange, UserChange } from './user-change.ts'
import { readUserSchema, requireWritableUsers } from './user-directory.ts'
import { replaceGroups, requireGroups } from './user-groups.ts'
import { requireProperties } from './user-properties.ts'

/**
 * Looks whether the user may be changed so, and hashes the password.
 * @throws userNotFound, notAPeopleEditor, userIsConfigured, directoryReadOnly, unknownGroup, invalidUserProperty, unseenCharacters,
 * propertyTooLong, passwordNotAllowed
 */
export async function prepareUserChange(
  session: Session,
  services: PeopleServices,
  name: string,
  change: UserChange,
): Promise<PreparedChange> {
  await readUnderChange(session, services, name, change)
  return prepareChange(services, change)
}

/** Changes what is given and leaves the rest. @throws as prepareUserChange does: what it looked at may have changed since. */
export async function updateUser(
  session: WriteSession,
  services: PeopleServices,
  name: string,
  change: PreparedChange,
): Promise<void> {
  const { directories } = session.tx
  await directories.lock()
  const stored = await readUnderChange(session, services, name, change)
  await storeUser(session, { id: name, values: { ...stored.values, ...change.properties, ...passwordOf(change) } })
  if (change.groups !== undefined) await replaceGroups(directories, name, change.groups)
}

/** @throws userNotFound when it is gone. */
export async function storeUser(session: WriteSession, user: DirectoryEntry): Promise<void> {
  const entry = storedEntry(requireWritableUsers(session), user)
  if (!(await session.tx.directories.update(userDirectory, entry))) throw userNotFound({ name: user.id })
  await announceToServer(session, 'user_modified', { category: userGroupCategory, properties: { id: user.id } })
}

function passwordOf({ passwordHash }: PreparedChange): DirectoryEntry['values'] {
  return passwordHash === undefined ? {} : { password: passwordHash }
}

/** Both what the user is and what it would become decide whether the caller may change it (people 3.3). */
async function readUnderChange(
  session: Session,
  services: PeopleServices,
  name: string,
  { groups, properties }: Pick<UserChange, 'groups' | 'properties'>,
): Promise<DirectoryEntry> {
  const stored = await readEditableUser(session, services, name)
  requireWritableUsers(session)
  if (groups !== undefined) await requireNewGroups(session, services, name, groups)
  requireProperties(readUserSchema(session), properties, stored.values)
  return stored
}

async function requireNewGroups(
  session: Session,
  { principalRules }: PeopleServices,
  name: string,
  groups: readonly string[],
): Promise<void> {
  const { directories } = session.reader
  const resulting = await listGroupsWith(directories, principalRules, name, groups)
  requirePeopleEditor(session.principal, resulting, principalRules, editRefusal)
  await requireGroups(directories, principalRules, groups)
}
