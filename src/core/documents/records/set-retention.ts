import type { Document, DocumentId } from '../../../model/document.ts'
import { planRetention } from '../../../model/retention.ts'
import type { WriteSession } from '../../session.ts'
import { changeRecord } from './record-change.ts'

/**
 * Keeps a record from being removed until a moment; asked again, until a later one.
 * @throws notARecord, invalidRetention, retentionShortened
 */
export function setRetention(
  session: WriteSession,
  id: DocumentId,
  until: string,
  { comment }: { readonly comment?: string } = {},
): Promise<Document> {
  return changeRecord(session, id, 'SetRetention', (record) => {
    const plan = planRetention(record, until, session.now)
    if (plan.kind === 'keep') return undefined
    const retention = { retainUntil: plan.retainUntil }
    const what = plan.kind === 'set' ? 'SetRetention' : 'ExtendRetention'
    return { what, fields: retention, properties: retention, comment }
  })
}
