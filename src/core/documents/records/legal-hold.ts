import type { Document, DocumentId } from '../../../model/document.ts'
import type { WriteSession } from '../../session.ts'
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

export function removeLegalHold(session: WriteSession, id: DocumentId, { comment }: HoldOptions = {}): Promise<Document> {
  return changeRecord(session, id, 'ManageLegalHold', ({ hasLegalHold }) =>
    hasLegalHold ? { what: 'RemoveLegalHold', fields: { hasLegalHold: false }, comment } : undefined,
  )
}
