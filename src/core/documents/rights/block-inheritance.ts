import type { Document, DocumentId } from '../../../model/document.ts'
import { type Acl, deny, grant } from '../../../model/rights/acl.ts'
import { withBlock, withoutBlock } from '../../../model/rights/acl-change.ts'
import { everything } from '../../../model/rights/permission.ts'
import { actingName, everyone } from '../../../model/rights/principal.ts'
import type { WriteSession } from '../../session.ts'
import { changeAcls, ownAclName } from './change-acls.ts'

/** Shuts out what the document would inherit; the caller and the administrators stay in. Nothing where it is so already. */
export function blockInheritance(session: WriteSession, id: DocumentId, acl?: string): Promise<Document> {
  const name = ownAclName(acl)
  return changeAcls(session, id, (document) => ({ acls: withInheritanceBlocked(session, document.acls, name) }))
}

/** Lets the document inherit again. Entries that were added so that administrators stay in remain. */
export function unblockInheritance(session: WriteSession, id: DocumentId, acl?: string): Promise<Document> {
  const name = ownAclName(acl)
  return changeAcls(session, id, (document) => ({ acls: withoutBlock(document.acls, name) }))
}

export function withInheritanceBlocked(
  { principal, repository }: WriteSession,
  acls: readonly Acl[],
  name: string,
): readonly Acl[] {
  const caller = actingName(principal)
  const administrators = repository.rules.administratorsGroups.map((group) => grant(group, everything))
  return withBlock(acls, name, [grant(caller, everything, { creator: caller }), ...administrators], deny(everyone, everything))
}
