import { defineProblem } from '../../../base/problem.ts'
import type { Document, DocumentId } from '../../../model/document.ts'
import type { ChildrenFilter } from '../../../store/documents.ts'
import { hasPermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { readDocument } from '../read-document.ts'
import { removeDocument } from '../remove-document.ts'
import { visibleTo } from '../visible-children.ts'

export const hasNoTrash = defineProblem(
  'hasNoTrash',
  'invalid',
  (of: { id: string; type: string }) => `${of.id} is a ${of.type}, which is not Folderish and has no trash to empty`,
)

const readAtOnce = 500

/** Removes for good what is in the trash of a folder, as far as the caller may, and gives how many documents that were. */
export async function emptyTrash(session: WriteSession, folderId: DocumentId): Promise<number> {
  const folder = await readDocument(session, folderId)
  if (!session.model.shapeOf(folder).hasFacet('Folderish')) throw hasNoTrash({ id: folder.id, type: folder.type })
  if (!(await hasPermission(session, folder, 'RemoveChildren'))) return 0
  return removeAll(session, await visibleTo(session, folder, true))
}

async function removeAll(session: WriteSession, filter: ChildrenFilter): Promise<number> {
  for (let removed = 0, remaining = 0; ; ) {
    const page = await session.tx.documents.listChildren(filter, [], readAtOnce, remaining)
    for (const child of page) {
      const isRemoved = await removeIfAllowed(session, child)
      isRemoved ? removed++ : remaining++
    }
    if (page.length < readAtOnce) return removed
  }
}

async function removeIfAllowed(session: WriteSession, child: Document): Promise<boolean> {
  if (!(await hasPermission(session, child, 'Remove'))) return false
  await removeDocument(session, child.id)
  return true
}
