import type { Acl } from '../../model/acl.ts'
import { inheritedAclName } from '../../model/acl.ts'
import type { Document } from '../../model/document.ts'
import { announce, offer } from '../event.ts'
import { requirePermission } from '../permissions.ts'
import type { WriteSession } from '../session.ts'
import { documentNotFound } from './read-document.ts'

/** Gives the document these own ACLs instead of what it had; everything below inherits them at once. */
export async function setAcls(session: WriteSession, id: string, acls: readonly Acl[]): Promise<Document> {
  const document = await session.tx.documents.findForUpdate(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, document, 'WriteSecurity')
  const own = acls.filter((acl) => acl.name !== inheritedAclName && acl.aces.length > 0)
  const properties = { oldACP: document.acls, newACP: own }
  await offer(session, 'beforeDocumentSecurityModification', document, { properties })
  await session.tx.acps.replaceAcls(document, own)
  const changed = (await session.tx.documents.find(id)) ?? document
  await announce(session, 'documentSecurityUpdated', changed, { properties })
  return changed
}
