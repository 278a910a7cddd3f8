import type { Document, DocumentId } from '../../../model/document.ts'
import { grant } from '../../../model/rights/acl.ts'
import { withAces, withAcl } from '../../../model/rights/acl-change.ts'
import type { WriteSession } from '../../session.ts'
import { changeAcls, ownAclName } from './change-acls.ts'
import { prepareAces } from './prepare-aces.ts'

export interface OnlyAce {
  readonly user: string
  readonly permission: string
  readonly acl?: string
  readonly granted?: boolean
  /** False: added to the list instead of being all of it. */
  readonly overwrite?: boolean
}

/**
 * Makes one entry a whole list, as clients did before permissions could be added one by one; the other lists stay.
 * @throws unknownNames, invalidPermission
 */
export async function setAce(session: WriteSession, id: DocumentId, only: OnlyAce): Promise<Document> {
  const name = ownAclName(only.acl)
  return changeAcls(session, id, async ({ acls }) => {
    const aces = await prepareAces(session, [grant(only.user, only.permission, { granted: only.granted ?? true })])
    return { acls: (only.overwrite ?? true) ? withAcl(acls, name, aces) : withAces(acls, name, aces) }
  })
}
