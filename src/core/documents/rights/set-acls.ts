import type { Document, DocumentId } from '../../../model/document.ts'
import type { Acl } from '../../../model/rights/acl.ts'
import { withAcls } from '../../../model/rights/acl-change.ts'
import type { WriteSession } from '../../session.ts'
import { changeAcls } from './change-acls.ts'

/**
 * Gives the document these own ACLs instead of what it had; everything below inherits them at once. Without `overwrite` their
 * entries are added to those of the lists with the same names. What is given as `inherited` is left out: it is computed.
 */
export function setAcls(
  session: WriteSession,
  id: DocumentId,
  acls: readonly Acl[],
  options: { readonly overwrite?: boolean } = {},
): Promise<Document> {
  return changeAcls(session, id, (document) => ({
    acls: (options.overwrite ?? true) ? acls : withAcls(document.acls, acls),
  }))
}
