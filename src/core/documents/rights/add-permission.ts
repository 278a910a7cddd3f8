import { randomHex } from '../../../base/ids.ts'
import type { IsoDate } from '../../../base/iso-date.ts'
import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { aceId } from '../../../model/rights/ace-id.ts'
import { type Ace, grant } from '../../../model/rights/acl.ts'
import { withAces } from '../../../model/rights/acl-change.ts'
import { actingName, transientName } from '../../../model/rights/principal.ts'
import type { WriteSession } from '../../session.ts'
import { withInheritanceBlocked } from './block-inheritance.ts'
import { changeAcls, ownAclName } from './change-acls.ts'
import { isGuest, prepareAces } from './prepare-aces.ts'

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
}

export const nobodyNamed = defineProblem('nobodyNamed', 'invalid', () => "'users' or 'email' parameters must be set")

export const endlessInvitation = defineProblem(
  'endlessInvitation',
  'invalid',
  () => "'end' parameter must be set when adding a permission for an 'email'",
)

export const noMailAddress = defineProblem(
  'noMailAddress',
  'invalid',
  (of: { email: string }) =>
    `${JSON.stringify(of.email.slice(0, 100))} is no mail address. Send one of the form name@host as 'email'.`,
)

/** Grants users, groups or a guest invited by mail a permission on the document, for a time or for good. */
export async function addPermission(session: WriteSession, id: DocumentId, added: AddedPermission): Promise<Document> {
  const { notify = false, comment = null } = added
  const aclName = ownAclName(added.acl)
  return changeAcls(session, id, async ({ acls }) => {
    const aces = await acesOf(session, added)
    return {
      acls: withAces(added.blockInheritance ? withInheritanceBlocked(session, acls, aclName) : acls, aclName, aces),
      notes: aces.map((ace) => ({ aclName, aceId: aceId(ace), notify, comment })),
    }
  })
}

function acesOf(session: WriteSession, added: AddedPermission): Promise<readonly Ace[]> {
  const { permission, begin = null, end = null } = added
  const creator = actingName(session.principal)
  return prepareAces(
    session,
    namesOf(added).map((name) => grant(name, permission, { creator, begin, end })),
  )
}

function namesOf({ users = [], email, uniqueGuest = false, end }: AddedPermission): readonly string[] {
  const names = users.filter((name) => name.trim() !== '')
  if (names.length > 0) return names
  if (email === undefined || email.trim() === '') throw nobodyNamed({})
  if (end === undefined || end === null) throw endlessInvitation({})
  const name = transientName(email.trim(), uniqueGuest ? randomHex(16) : undefined)
  if (!isGuest(name)) throw noMailAddress({ email })
  return [name]
}
