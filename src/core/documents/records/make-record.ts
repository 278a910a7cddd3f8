import type { Document, DocumentId } from '../../../model/document.ts'
import { versionIsNoRecord } from '../../../model/retention.ts'
import type { WriteSession } from '../../session.ts'
import { changeRecord } from './record-change.ts'

/** Makes the document a record, for good. @throws versionIsNoRecord */
export function makeRecord(session: WriteSession, id: DocumentId): Promise<Document> {
  return changeRecord(session, id, 'MakeRecord', ({ id: contentId, isVersion, isRecord }) => {
    if (isVersion) throw versionIsNoRecord({ id: contentId })
    return isRecord ? undefined : { what: 'MakeRecord', fields: { isRecord: true } }
  })
}
