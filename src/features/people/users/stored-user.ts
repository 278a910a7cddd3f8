import { defineProblem } from '../../../base/problem.ts'
import { userDirectory } from '../../../core/directories/people.ts'
import type { User } from '../../../core/principals/accounts.ts'
import { listAllGroups } from '../../../core/principals/group-inheritance.ts'
import { requirePeopleEditor } from '../../../core/principals/power-users.ts'
import type { Session } from '../../../core/session.ts'
import type { Principal } from '../../../model/rights/principal.ts'
import type { DirectoryEntry } from '../../../store/directories.ts'
import type { PeopleServices } from '../people-services.ts'
import { editRefusal } from '../refusals.ts'

export const userNotFound = defineProblem('userNotFound', 'notFound', (_: { name: string }) => 'user does not exist')

export const userIsConfigured = defineProblem(
  'userIsConfigured',
  'conflict',
  (of: { name: string }) => `The user ${of.name} is in no directory and cannot be changed here.`,
)

/** For a user of the directory or of the configuration. @throws userNotFound */
export async function requireUser({ principals }: Pick<PeopleServices, 'principals'>, name: string): Promise<void> {
  if ((await principals.find(name)) === undefined) throw userNotFound({ name })
}

/** A user by name; the emergency administrator is shown to nobody but itself. */
export async function findShownUser(
  { principal }: Session,
  principals: PeopleServices['principals'],
  name: string,
): Promise<User | undefined> {
  return (await principals.findUser(name)) ?? (name === principal.name ? principals.findHidden(principal) : undefined)
}

/**
 * A user that the session's principal may change.
 * @throws userNotFound, notAPeopleEditor, userIsConfigured
 */
export async function readEditableUser(session: Session, services: PeopleServices, name: string): Promise<DirectoryEntry> {
  const { directories } = session.reader
  const { principalRules } = services
  const stored = await directories.find(userDirectory, name)
  const groups =
    stored === undefined ? (await readConfigured(services, name)).groups : await listAllGroups(directories, principalRules, name)
  requirePeopleEditor(session.principal, [name, ...groups], principalRules, editRefusal)
  if (stored === undefined) throw userIsConfigured({ name })
  return stored
}

async function readConfigured(services: PeopleServices, name: string): Promise<Principal> {
  const configured = await findConfigured(services, name)
  if (configured === undefined) throw userNotFound({ name })
  return configured
}

/** A user that exists without an entry. One that has an entry by the eyes of another transaction is none. */
export async function findConfigured({ principals }: PeopleServices, name: string): Promise<Principal | undefined> {
  const user = await principals.findUser(name)
  return user?.isStored ? undefined : user?.principal
}
