import { mapInTurns } from '../../../base/map-in-turns.ts'
import type { Document } from '../../../model/document.ts'
import { isGrantedBy } from '../../../model/rights/acl.ts'
import { createPrincipal, everyone, type Principal } from '../../../model/rights/principal.ts'
import type { DirectoryReader } from '../../../store/directories.ts'
import { requirePermission } from '../../permissions.ts'
import { listAllMembers } from '../../principals/group-members.ts'
import type { Principals } from '../../principals/principals.ts'
import type { Session } from '../../session.ts'

/** Whom entries give a permission, in the order of the entries. */
export interface Grantees {
  readonly users: readonly string[]
  /** Perhaps with Everyone. */
  readonly groups: readonly string[]
}

/** Where users are looked up. */
export interface KnownPeople {
  readonly principals: Pick<Principals, 'find' | 'labelGroups'>
  readonly directories: DirectoryReader
}

export interface GranteesWanted {
  readonly permission: string
  /** The members of groups instead of the groups; Everyone stands for itself. */
  readonly resolvesGroups: boolean
}

/**
 * Users and groups that the entries of the document, own and inherited, give the permission. Administrators need no entry, and are
 * not among them for that; an unknown name is left out. @throws privilegeMissing without ReadSecurity.
 */
export async function listGrantees(
  session: Session,
  { principals, directories }: KnownPeople,
  document: Document,
  { permission, resolvesGroups }: GranteesWanted,
): Promise<Grantees> {
  await requirePermission(session, document, 'ReadSecurity')
  const { names, isGranted } = await readGrants(session, document, permission)
  const known = await principals.labelGroups(names)
  const groups = names.filter((name) => (name === everyone || known.has(name)) && isGranted(asGroup(name)))
  const grantedUsers = (some: readonly string[]) => filterUsers(principals, some, isGranted)
  const users = await grantedUsers(names.filter((name) => name !== everyone))
  if (!resolvesGroups) return { users, groups: groups.filter((group) => !users.includes(group)) }
  const members = await grantedUsers(await listAllMembers(directories, groups))
  return { users: [...new Set([...users, ...members])], groups: groups.filter((group) => group === everyone) }
}

async function filterUsers(
  principals: KnownPeople['principals'],
  names: readonly string[],
  isGranted: (user: Principal) => boolean,
): Promise<readonly string[]> {
  const granted = await mapInTurns(names, async (name) => {
    const user = await principals.find(name)
    return user !== undefined && isGranted(user) ? [name] : []
  })
  return granted.flat()
}

function asGroup(name: string): Principal {
  return createPrincipal(name, [], { isAdministrator: false })
}

interface Grants {
  /** Those of all entries that grant it. */
  readonly names: readonly string[]
  /** Whether the first entry that concerns the principal is such a one. */
  isGranted(principal: Principal): boolean
}

async function readGrants(session: Session, document: Document, permission: string): Promise<Grants> {
  const { permissions } = session.model
  const aces = await session.repository.acps.entriesOf(session, document.acpId)
  const granting = permissions.grantedBy(permission)
  const grants = aces.filter((ace) => ace.granted && granting.has(ace.permission))
  return {
    names: [...new Set(grants.map(({ username }) => username))],
    isGranted: (principal) => isGrantedBy(aces, principal, permission, permissions, session.now),
  }
}
