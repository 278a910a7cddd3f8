import type { Document } from '../../model/document.ts'
import type { ChildrenFilter } from '../../store/documents.ts'
import type { Session } from '../session.ts'

const hiddenFacet = 'HiddenInNavigation'

/** Which children the caller sees in listings: not hidden, granted Browse, and not trashed, or those in the trash alone. */
export async function visibleTo(session: Session, parent: Document, inTrash = false): Promise<ChildrenFilter> {
  const readableAcps = await session.repository.acps.readableBy(session, 'Browse')
  return {
    parentId: parent.id,
    visibleOnly: { hiddenTypes: session.model.typesWithFacet(hiddenFacet), hiddenFacet, inTrash },
    ...(readableAcps !== undefined && { readableAcps }),
  }
}
