import type { Document, DocumentId } from '../../../model/document.ts'
import { announce, offer } from '../../event.ts'
import type { DocumentEvent, WriteSession } from '../../session.ts'
import { requireRightAt, store } from '../read-for-update.ts'
import { readSubject, shownAt } from '../read-subject.ts'

export interface RecordChange {
  /** What is done, as the events before and after it call it. */
  readonly what: 'MakeRecord' | 'SetRetention' | 'ExtendRetention' | 'UnsetRetention' | 'SetLegalHold' | 'RemoveLegalHold'
  readonly fields: Partial<Pick<Document, 'isRecord' | 'retainUntil' | 'hasLegalHold'>>
  /** What else the document has to remember of it. */
  readonly remember?: (document: Document) => Document
  readonly properties?: DocumentEvent['properties']
  readonly comment?: string | undefined
}

/**
 * Changes what makes a document a record or keeps it; of a proxy, what it points to. The plan is made once the permission is
 * there, and is undefined when all is so already.
 */
export async function changeRecord(
  session: WriteSession,
  id: DocumentId,
  permission: 'MakeRecord' | 'SetRetention' | 'UnsetRetention' | 'ManageLegalHold',
  plan: (content: Document) => RecordChange | undefined,
): Promise<Document> {
  const subject = await readSubject(session, id)
  const { place, content } = subject
  await requireRightAt(session, place, content, permission)
  const change = plan(content)
  return change === undefined ? place : shownAt(session, subject, await carryOut(session, content, change))
}

async function carryOut(session: WriteSession, content: Document, change: RecordChange): Promise<Document> {
  const { what, fields, remember = (document) => document, properties = {}, comment = null } = change
  const offered = await offer(session, `before${what}`, content, { properties, comment })
  const changed = await store(session, content, { ...remember(offered), ...fields })
  await announce(session, `after${what}`, changed, { properties, comment })
  if ((content.retainUntil === null) !== (changed.retainUntil === null)) await announceRetentionActive(session, changed)
  return changed
}

/** Told whenever retention begins to keep a document or has set it free, beside what has made it so. */
export async function announceRetentionActive(session: WriteSession, changed: Document): Promise<void> {
  const retentionActive = changed.retainUntil !== null
  await announce(session, 'retentionActiveChanged', changed, {
    properties: { retentionActive },
    comment: String(retentionActive),
  })
}
