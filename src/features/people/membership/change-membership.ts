import { defineProblem } from '../../../base/problem.ts'
import { directoryReadOnly } from '../../../core/directories/directory-rights.ts'
import { groupDirectory, groupMembers, userDirectory } from '../../../core/directories/people.ts'
import { findComputedGroup } from '../../../core/principals/computed-groups.ts'
import { announceToServer, userGroupCategory } from '../../../core/server-event.ts'
import type { WriteSession } from '../../../core/session.ts'
import { groupIsComputed } from '../groups/find-group.ts'
import type { PeopleServices } from '../people-services.ts'
import { requireMembershipEditor } from './membership-rights.ts'

export const memberNotFound = defineProblem('memberNotFound', 'notFound', (_: { user: string }) => 'User not found')
export const memberGroupNotFound = defineProblem('memberGroupNotFound', 'notFound', (_: { group: string }) => 'Group not found')

/**
 * Makes the user a member of the group; one that is stays one.
 * @throws memberGroupNotFound, groupIsComputed, memberNotFound, notAPeopleEditor, directoryReadOnly
 */
export function addMember(session: WriteSession, services: PeopleServices, user: string, group: string): Promise<void> {
  return changeMembership(session, services, { user, group, isMember: true })
}

/** Takes the user out of the group; one that is no member stays none. @throws as addMember does. */
export function removeMember(session: WriteSession, services: PeopleServices, user: string, group: string): Promise<void> {
  return changeMembership(session, services, { user, group, isMember: false })
}

interface Membership {
  readonly user: string
  readonly group: string
  readonly isMember: boolean
}

async function changeMembership(session: WriteSession, services: PeopleServices, membership: Membership): Promise<void> {
  const { directories } = session.tx
  const { user, group, isMember } = membership
  await requireAllowed(session, services, membership)
  // Asked of the user, who is in a few groups, and not of the group, which may have a hundred thousand members.
  if ((await directories.listSources(groupMembers, user)).includes(group) === isMember) return
  const written = writtenSide(session, membership)
  await directories.lock()
  // Those that were waited for may have deleted one of them, or made an administrator of the user.
  await requireAllowed(session, services, membership)
  if (isMember) await directories.addTarget(groupMembers, group, user)
  else await directories.removeTarget(groupMembers, group, user)
  await announceToServer(session, written.event, { category: userGroupCategory, properties: { id: written.id } })
}

async function requireAllowed(session: WriteSession, services: PeopleServices, membership: Membership): Promise<void> {
  await requireBoth(session, services, membership)
  const { user, group } = membership
  await requireMembershipEditor(session, services, 'Cannot edit user', group, { users: [user] })
}

async function requireBoth(session: WriteSession, services: PeopleServices, { user, group }: Membership): Promise<void> {
  const { directories } = session.tx
  if ((await directories.find(groupDirectory, group)) === undefined) {
    throw findComputedGroup(services.principalRules, group) ? groupIsComputed({ name: group }) : memberGroupNotFound({ group })
  }
  if ((await directories.find(userDirectory, user)) === undefined) throw memberNotFound({ user })
}

/** The user is what is changed, unless users cannot be: then it is the group. */
function writtenSide({ repository }: WriteSession, { user, group }: Membership): { readonly event: string; readonly id: string } {
  const { definitions } = repository.directories
  if (!definitions.get(userDirectory)?.readOnly) return { event: 'user_modified', id: user }
  if (!definitions.get(groupDirectory)?.readOnly) return { event: 'group_modified', id: group }
  throw directoryReadOnly({ directory: groupDirectory })
}
