import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { hasAceId } from '../../model/rights/ace-id.ts'
import { announceGrant } from './ace-notes.ts'

/** Tells once more of an entry that the document has. Nothing where it has none with the id. @throws invalidAceId */
export async function announcePermission(session: WriteSession, document: Document, id: string): Promise<Document> {
  await requirePermission(session, document, 'WriteSecurity')
  const isMeant = hasAceId(id)
  for (const { name: aclName, aces } of document.acls) {
    for (const ace of aces.filter(isMeant)) await announceGrant(session, document, { aclName, ace })
  }
  return document
}
