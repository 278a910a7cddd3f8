import { removeDocument } from '../../core/documents/remove-document.ts'
import { requirePermission } from '../../core/permissions.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Statement } from './add-relation.ts'
import { findRelation, relationOf } from './relation.ts'

/** Takes a relation back. Nothing where there is none. @throws privilegeMissing without WriteProperties on the subject */
export async function deleteRelation(session: WriteSession, { subject, source, predicate, target }: Statement): Promise<void> {
  await requirePermission(session, subject, 'WriteProperties')
  const found = await findRelation(session, relationOf(source, predicate, target))
  if (found !== undefined) await removeDocument(session.asSystem(), found.id)
}
