import type { Document, DocumentId } from '../../../model/document.ts'
import { requirePermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { documentNotFound } from '../read-document.ts'
import { readForVersions } from './list-versions.ts'

/** The live document behind a version or proxy; a live document is its own. @throws documentNotFound when it is gone. */
export async function readWorkingCopy(session: Session, id: DocumentId): Promise<Document> {
  const document = await readForVersions(session, id)
  if (!document.isVersion || document.seriesId === null) return document
  const live = await session.reader.documents.find(document.seriesId)
  if (live === undefined) throw documentNotFound({ reference: document.seriesId })
  await requirePermission(session, live, 'ReadVersion')
  return live
}
