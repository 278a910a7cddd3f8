import type { Document, DocumentId } from '../../../model/document.ts'
import type { WriteSession } from '../../session.ts'
import { orderOrphanRemoval } from '../versions/remove-version.ts'
import { changeRecord } from './record-change.ts'

interface HoldOptions {
  readonly comment?: string
}

/** Keeps the document from being removed until the hold is taken away. */
export function setLegalHold(session: WriteSession, id: DocumentId, { comment }: HoldOptions = {}): Promise<Document> {
  return changeRecord(session, id, 'ManageLegalHold', ({ hasLegalHold }) =>
    hasLegalHold ? undefined : { what: 'SetLegalHold', fields: { hasLegalHold: true }, comment },
  )
}

/** A version that it has kept when its live document went goes now. */
export async function removeLegalHold(session: WriteSession, id: DocumentId, { comment }: HoldOptions = {}): Promise<Document> {
  const released: DocumentId[] = []
  const document = await changeRecord(session, id, 'ManageLegalHold', (content) => {
    if (!content.hasLegalHold) return undefined
    if (content.isVersion && content.seriesId !== null) released.push(content.seriesId)
    return { what: 'RemoveLegalHold', fields: { hasLegalHold: false }, comment }
  })
  // Whether there is a live document, the job finds out: another transaction may be removing it.
  if (released.length > 0) await orderOrphanRemoval(session, released)
  return document
}
