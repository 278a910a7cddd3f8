import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { WriteSession } from '../../session.ts'
import { changeRecord } from './record-change.ts'

export const retentionEnforced = defineProblem(
  'retentionEnforced',
  'conflict',
  (of: { id: string }) =>
    `The retention of ${of.id} cannot be taken back: this server keeps records strictly, or a legal hold is on the document.`,
)

/**
 * Sets a record free before its time. Whether it may be is for the caller to say, who knows what it is kept by; never where the server keeps
 * records strictly, nor under legal hold. It stays a record.
 * @throws retentionEnforced
 */
export function unsetRetention(
  session: WriteSession,
  id: DocumentId,
  remember: (document: Document) => Document,
): Promise<Document> {
  return changeRecord(session, id, 'UnsetRetention', (record) => {
    if (record.hasLegalHold || session.repository.rules.strictRetention) throw retentionEnforced({ id: record.id })
    return { what: 'UnsetRetention', fields: { retainUntil: null }, remember }
  })
}
