import type { Document } from '../../model/document.ts'
import type { ChildrenFilter, SortKey } from '../../store/documents.ts'
import type { Session } from '../session.ts'
import { throughProxy } from './proxies/proxy.ts'

export interface ChildrenPage {
  readonly documents: readonly Document[]
  /** Exact up to the limit; undefined when there are more. */
  readonly count: number | undefined
}

export interface ChildrenPageOptions {
  readonly sort: readonly SortKey[]
  readonly offset: number
  readonly size: number
  /** Counting stops here. */
  readonly countLimit: number
}

const hiddenFacet = 'HiddenInNavigation'
const byTitle: SortKey = { by: { kind: 'property', name: 'dc:title', isNumeric: false }, descending: false }

/** A page of the live, visible children that the caller may browse. */
export async function listVisibleChildren(
  session: Session,
  parent: Document,
  options: ChildrenPageOptions,
): Promise<ChildrenPage> {
  const filter = await visibleTo(session, parent)
  const sort = options.sort.length === 0 ? [byTitle] : options.sort
  const { documents } = session.reader
  const rows = await documents.listChildren(filter, sort, options.size, options.offset)
  const shown = rows.some((row) => row.isProxy) ? await Promise.all(rows.map((row) => throughProxy(session, row))) : rows
  // A page that is neither full nor past the end shows where the list ends, so nothing needs counting.
  if (rows.length > 0 && rows.length < options.size) return { documents: shown, count: options.offset + rows.length }
  const counted = await documents.countChildren(filter, options.countLimit + 1)
  return { documents: shown, count: counted > options.countLimit ? undefined : counted }
}

/** Which children the caller sees in listings: not hidden, granted Browse, and not trashed, or those in the trash alone. */
export async function visibleTo(session: Session, parent: Document, inTrash = false): Promise<ChildrenFilter> {
  const readableAcps = await session.repository.acps.readableBy(session, 'Browse')
  return {
    parentId: parent.id,
    visibleOnly: { hiddenTypes: session.model.typesWithFacet(hiddenFacet), hiddenFacet, inTrash },
    ...(readableAcps !== undefined && { readableAcps }),
  }
}
