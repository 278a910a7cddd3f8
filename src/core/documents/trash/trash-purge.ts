import { defineProblem } from '../../../base/problem.ts'
import type { DocumentId } from '../../../model/document.ts'
import type { WriteSession } from '../../session.ts'
import { removeDocuments } from '../remove-documents.ts'
import { canPurgeOrUntrash } from './trash-rights.ts'

export const purgeDenied = defineProblem(
  'purgeDenied',
  'forbidden',
  (_: { ids: readonly DocumentId[] }) => 'Cannot purge these documents',
)

/** Removes trashed documents for good. @throws purgeDenied when one of them is not in the trash or may not be removed. */
export async function purgeDocuments(session: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  if (!(await canPurgeOrUntrash(session, ids))) throw purgeDenied({ ids })
  await removeDocuments(session, ids)
}
