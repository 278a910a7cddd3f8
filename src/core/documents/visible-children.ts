import type { Document } from '../../model/document.ts'
import type { ChildrenFilter, SortKey } from '../../store/documents.ts'
import type { Session } from '../session.ts'

/**
 * Which children the caller sees in listings: of no type that hides, granted Browse, and not trashed, or those in the trash alone. The
 * facet that hides counts on types alone, as in queries: what a list shows is not left out where a folder is counted or emptied.
 */
export async function visibleTo(session: Session, parent: Document, inTrash = false): Promise<ChildrenFilter> {
  const readableAcps = await session.repository.acps.readableBy(session, 'Browse')
  return {
    parentId: parent.id,
    visibleOnly: { hiddenTypes: session.model.typesWithFacet('HiddenInNavigation'), inTrash },
    ...(readableAcps !== undefined && { readableAcps }),
  }
}

const byPosition: SortKey = { by: { kind: 'column', name: 'position' }, descending: false }
const byName: SortKey = { by: { kind: 'column', name: 'name' }, descending: false }

/** How the children of a folder follow each other unless another order is asked for. */
export function folderOrder({ model }: Session, parent: Document): readonly SortKey[] {
  return model.shapeOf(parent).hasFacet('Orderable') ? [byPosition, byName] : [byName]
}
