import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { hasAceId } from '../../../model/rights/ace-id.ts'
import type { Ace } from '../../../model/rights/acl.ts'
import { withoutAces, withoutAcl } from '../../../model/rights/acl-change.ts'
import { principalIn } from '../../references.ts'
import type { WriteSession } from '../../session.ts'
import { changeAcls, ownAclName, requireOwnAcl } from './change-acls.ts'

export interface RemovedPermission {
  /** The id of an entry. */
  readonly id?: string
  /** All entries of this user or group; counts before an id. */
  readonly user?: string
  readonly acl?: string
  /** Not only in one list. */
  readonly inEveryAcl?: boolean
}

export const noPermissionNamed = defineProblem('noPermissionNamed', 'invalid', () => "'id' or 'user' parameter must be set")

/** Takes one entry, or all of a user or group. Nothing where there is none. @throws invalidAceId, noPermissionNamed */
export async function removePermission(session: WriteSession, id: DocumentId, removed: RemovedPermission): Promise<Document> {
  const aclName = removed.inEveryAcl ? undefined : ownAclName(removed.acl)
  const isRemoved = matching(removed)
  return changeAcls(session, id, ({ acls }) => ({ acls: withoutAces(acls, aclName, isRemoved) }))
}

function matching({ id, user }: RemovedPermission): (ace: Ace) => boolean {
  // As it is stored in entries of old, or as it is given with what it is before it.
  if (user !== undefined && user !== '') return ({ username }) => username === user || username === principalIn(user)
  if (id === undefined || id === '') throw noPermissionNamed({})
  return hasAceId(id)
}

/** Takes all entries of these users and groups, whichever list they are in. */
export async function removePermissions(session: WriteSession, id: DocumentId, names: readonly string[]): Promise<Document> {
  return changeAcls(session, id, ({ acls }) => ({
    acls: withoutAces(acls, undefined, ({ username }) => names.includes(username)),
  }))
}

/** Takes a whole list. Nothing where there is none of that very name: a blank one is not the local list here, which would be gone. */
export async function removeAcl(session: WriteSession, id: DocumentId, acl: string): Promise<Document> {
  requireOwnAcl(acl)
  return changeAcls(session, id, ({ acls }) => ({ acls: withoutAcl(acls, acl) }))
}
