import type { IsoDate } from '../../../base/iso-date.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import { withFacet, withOwnFacets } from '../../../model/own-facets.ts'
import { leastRetention, leastRetentionFacet, planRetention } from '../../../model/retention.ts'
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
    const { atLeastUntil } = plan
    const remember = (document: Document) =>
      atLeastUntil === undefined ? document : withLeastRetention(session, document, atLeastUntil)
    return { what, fields: retention, remember, properties: retention, comment }
  })
}

function withLeastRetention({ model }: WriteSession, document: Document, until: IsoDate): Document {
  const marked = withOwnFacets(model, document, withFacet(model, document, leastRetentionFacet))
  return { ...marked, properties: { ...marked.properties, [leastRetention]: until } }
}
