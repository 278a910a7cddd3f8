import type { Document, DocumentId } from '../../../model/document.ts'
import { hasPermission } from '../../permissions.ts'
import type { Session } from '../../session.ts'
import { readSelection } from './trash-selection.ts'

/** Whether the caller may take the document away from where it is. The lock of another user says no, but to administrators. */
export async function mayRemove(session: Session, document: Document): Promise<boolean> {
  if (!(await hasPermission(session, document, 'Remove'))) return false
  const parent = document.parentId === null ? undefined : await session.reader.documents.find(document.parentId)
  return parent === undefined || hasPermission(session, parent, 'RemoveChildren')
}

/** Whether there are any, all of them are in the trash, and the caller may remove them or take them out again. */
export async function canPurgeOrUntrash(session: Session, ids: readonly DocumentId[]): Promise<boolean> {
  for (const document of await readSelection(session, ids)) {
    if (!document.isTrashed || !(await mayRemove(session, document))) return false
  }
  return ids.length > 0
}
