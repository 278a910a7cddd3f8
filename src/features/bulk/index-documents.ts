import { defineBulkAction } from '../../core/bulk/bulk-action.ts'
import type { WriteSession } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'
import { readTextsKind } from '../../store/file-texts.ts'

/** Has full text find documents by what they say now, and has files read that nobody has read yet. */
export const indexDocuments = defineBulkAction({
  name: 'index',
  isOpen: false,
  run: (session, id) => indexAll(session, [id]),
  runAll: indexAll,
})

async function indexAll({ tx, principal: { name: owner } }: WriteSession, ids: readonly DocumentId[]): Promise<void> {
  for (const id of ids) await tx.fileTexts.index(id)
  const documentIds = tx.fileTexts.listAwaiting().map(({ documentId }) => documentId)
  if (documentIds.length > 0) await tx.jobs.add(readTextsKind, { documentIds }, { owner })
}
