import { randomHex } from '../../../base/ids.ts'
import type { IsoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { Resolver } from '../../../model/field.ts'
import { aceId } from '../../../model/rights/ace-id.ts'
import { type Ace, grant, localAclName, wholeSeconds } from '../../../model/rights/acl.ts'
import { withAces } from '../../../model/rights/acl-change.ts'
import { actingName, everyone, isTransient, transientName } from '../../../model/rights/principal.ts'
import type { Session, WriteSession } from '../../session.ts'
import { withInheritanceBlocked } from './block-inheritance.ts'
import { changeAcls, ownAclName } from './change-acls.ts'

export interface AddedPermission {
  readonly permission: string
  /** Names of users and groups. */
  readonly users?: readonly string[]
  /** The address of a guest who has no account. Counts only where no user is named, and never for good. */
  readonly email?: string
  /** Each invitation of an address is a guest of its own, who has the rights of no other. */
  readonly uniqueGuest?: boolean
  readonly acl?: string
  readonly begin?: IsoDate | null
  readonly end?: IsoDate | null
  readonly blockInheritance?: boolean
  readonly notify?: boolean
  readonly comment?: string | null
  /** Names are taken as they are, whether such users exist or not. */
  readonly unknownNames?: boolean
}

export const nobodyNamed = defineProblem('nobodyNamed', 'invalid', () => "'users' or 'email' parameters must be set")

export const endlessInvitation = defineProblem(
  'endlessInvitation',
  'invalid',
  () => "'end' parameter must be set when adding a permission for an 'email'",
)

export const unknownNames = defineProblem(
  'unknownNames',
  'invalid',
  (of: { names: readonly string[] }) =>
    `The following set of User or Group names do not exist: [${of.names.join(',')}]. Please provide valid ones.`,
)

export const invalidPermission = defineProblem(
  'invalidPermission',
  'invalid',
  (of: { permission: string }) => `Permission ${of.permission} is invalid.`,
)

/** Grants users, groups or a guest invited by mail a permission on the document, for a time or for good. */
export async function addPermission(session: WriteSession, id: DocumentId, added: AddedPermission): Promise<Document> {
  const { notify = false, comment = null } = added
  const aclName = ownAclName(added.acl ?? localAclName)
  return changeAcls(session, id, async ({ acls }) => {
    const aces = await acesOf(session, added)
    return {
      acls: withAces(added.blockInheritance ? withInheritanceBlocked(session, acls, aclName) : acls, aclName, aces),
      notes: aces.map((ace) => ({ aclName, aceId: aceId(ace), notify, comment })),
    }
  })
}

async function acesOf(session: WriteSession, added: AddedPermission): Promise<readonly Ace[]> {
  const { permission, begin = null, end = null } = added
  const names = await namesOf(session, added)
  if (!session.model.permissions.names.includes(permission)) throw invalidPermission({ permission })
  const creator = actingName(session.principal)
  return names.map((name) => wholeSeconds(grant(name, permission, { creator, begin, end })))
}

async function namesOf(
  session: Session,
  { users = [], email, uniqueGuest = false, end, unknownNames: areTaken }: AddedPermission,
): Promise<readonly string[]> {
  const names = users.filter((name) => name.trim() !== '')
  if (names.length > 0) {
    return areTaken ? names : readKnown(session, names)
  }
  if (email === undefined || email.trim() === '') throw nobodyNamed({})
  if (end === undefined || end === null) throw endlessInvitation({})
  return [transientName(email.trim(), uniqueGuest ? randomHex(16) : undefined)]
}

const userOrGroup: Resolver = { kind: 'user', type: 'any', validation: false }

/** The names as users and groups have them; `user:` and `group:` before one only say what it is. @throws unknownNames */
async function readKnown(session: Session, names: readonly string[]): Promise<readonly string[]> {
  const unknown: string[] = []
  const known: string[] = []
  for (const name of names) {
    const id = name === everyone || isTransient(name) ? name : await findId(session, name)
    if (id === undefined) unknown.push(name)
    else known.push(id)
  }
  if (unknown.length > 0) throw unknownNames({ names: unknown })
  return known
}

async function findId(session: Session, name: string): Promise<string | undefined> {
  const found = await session.repository.references.find(session, userOrGroup, name)
  return found?.kind === 'user' || found?.kind === 'group' ? found.id : undefined
}
