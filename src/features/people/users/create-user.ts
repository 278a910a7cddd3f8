import { defineProblem } from '../../../base/problem.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import { storedEntry } from '../../../core/directories/stored-entry.ts'
import { listAllGroups, listGroupsWith } from '../../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { Session, WriteSession } from '../../../core/session.ts'
import type { PeopleServices } from '../people-services.ts'
import { requireNewName } from '../principal-name.ts'
import { requireNoGroup } from '../principal-namesake.ts'
import { createRefusal } from '../refusals.ts'
import { requireFreedName, untilFreed } from '../removed-people.ts'
import { prepareChange } from './new-password.ts'
import { findConfigured } from './stored-user.ts'
import type { PreparedChange, UserChange } from './user-change.ts'
import { readUserSchema, requireWritableUsers } from './user-directory.ts'
import { replaceGroups, requireGroups } from './user-groups.ts'
import { requireProperties } from './user-properties.ts'

export const userWithoutName = defineProblem('userWithoutName', 'invalid', (_: object) => 'User MUST have a name')
export const userExists = defineProblem('userExists', 'conflict', (_: { name: string }) => 'User already exists')

export interface NewUser extends PreparedChange {
  readonly name: string
}

/**
 * Looks whether the user may be made, so that no client waits for a hash in vain, and hashes the password.
 * @throws notAPeopleEditor, userExists, userWithoutName, invalidPrincipalName, nameOfGroup, nameNotFreeYet, directoryReadOnly, unknownGroup, invalidUserProperty,
 * unseenCharacters, propertyTooLong, passwordNotAllowed
 */
export async function prepareUser(
  session: Session,
  services: PeopleServices,
  name: string,
  change: UserChange,
): Promise<NewUser> {
  requirePeopleEditor(session.principal, [], services.principalRules, createRefusal)
  await untilFreed(session, name)
  await requireCreation(session, services, name, change)
  return { ...(await prepareChange(services, change)), name }
}

/** @throws as prepareUser does: what it looked at may have changed since. */
export async function createUser(session: WriteSession, services: PeopleServices, user: NewUser): Promise<void> {
  const { directories } = session.tx
  const { name, properties, groups, passwordHash = null } = user
  await directories.lock()
  await requireCreation(session, services, name, user)
  const values = { ...properties, username: name, password: passwordHash }
  const entry = storedEntry(requireWritableUsers(session), { id: name, values })
  if (!(await directories.insert(userDirectory, entry))) throw userExists({ name })
  if (groups !== undefined) await replaceGroups(directories, name, groups)
  await announceToServer(session, 'user_created', { category: userGroupCategory, properties: { id: name } })
}

/** Whether the session's principal may make such a user now, in the order that clients know (people 3.2). @throws as prepareUser does */
export async function requireCreation(
  session: Session,
  services: PeopleServices,
  name: string,
  { groups, properties }: Pick<UserChange, 'groups' | 'properties'>,
): Promise<void> {
  const { principalRules } = services
  const { directories } = session.reader
  // A group may list users that do not exist yet: a user who gets such a name gets the group, or is taken out of it.
  const listed = await listAllGroups(directories, principalRules, name)
  const resulting = groups === undefined ? [] : await listGroupsWith(directories, principalRules, name, groups)
  // Rights are granted to names: one who is called like the administrators has theirs.
  requirePeopleEditor(session.principal, [name, ...listed, ...resulting], principalRules, createRefusal)
  if (await isTaken(session, services, name)) throw userExists({ name })
  if (name === '') throw userWithoutName({})
  requireNewName('The user name', name)
  await requireNoGroup(session, services, name)
  await requireFreedName(session, name)
  requireWritableUsers(session)
  await requireGroups(directories, principalRules, groups ?? [])
  requireProperties(readUserSchema(session), properties)
}

/** Also by users that the configuration declares. */
async function isTaken({ reader }: Session, services: PeopleServices, name: string): Promise<boolean> {
  if (name === services.principalRules.emergencyAdministrator?.name) return true
  const isStored = (await reader.directories.find(userDirectory, name)) !== undefined
  return isStored || (await findConfigured(services, name)) !== undefined
}
