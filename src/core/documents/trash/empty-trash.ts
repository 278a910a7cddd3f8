import { defineProblem } from '../../../base/problem.ts'
import type { DocumentId } from '../../../model/document.ts'
import type { ChildrenFilter } from '../../../store/documents.ts'
import { hasPermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { readDocument } from '../read-document.ts'
import { removeIfStill } from '../remove-document.ts'
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
      if (!(await hasPermission(session, child, 'Remove'))) remaining++
      // Somebody else may empty the trash too, or take the document out of it: what is gone from it is not counted among what is left.
      else if (await removeIfStill(session, child.id, (now) => now.isTrashed && now.parentId === child.parentId)) removed++
    }
    if (page.length < readAtOnce) return removed
  }
}
