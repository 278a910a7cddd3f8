import type { Document } from '../../model/document.ts'
import { joinPath } from '../../model/path-segment.ts'
import type { SortKey } from '../../store/documents.ts'
import { hasPermission, requirePermission } from '../permissions.ts'
import { throughProxies } from '../search/through-proxies.ts'
import type { Session } from '../session.ts'
import { documentNotFound, readDocument } from './read-document.ts'

const inFolderOrder: readonly SortKey[] = [
  { by: { kind: 'column', name: 'position' }, descending: false },
  { by: { kind: 'column', name: 'name' }, descending: false },
]

/** The child of exactly that name. @throws documentNotFound, privilegeMissing */
export async function readChild(session: Session, folder: Document, name: string): Promise<Document> {
  await requirePermission(session, folder, 'ReadChildren')
  const child = await session.reader.documents.findChild(folder.id, name)
  if (child === undefined) throw documentNotFound({ reference: folder.path === null ? name : joinPath(folder.path, name) })
  return readDocument(session, child.id)
}

/** All children that the caller may read, trashed and hidden ones too, as they are seen. @throws privilegeMissing */
export async function listReadableChildren(session: Session, folder: Document): Promise<readonly Document[]> {
  await requirePermission(session, folder, 'ReadChildren')
  const readableAcps = await session.repository.acps.readableBy(session, 'Read')
  const filter = { parentId: folder.id, ...(readableAcps !== undefined && { readableAcps }) }
  const found = await session.reader.documents.listChildren(filter, inFolderOrder, Number.MAX_SAFE_INTEGER, 0)
  const readable: Document[] = []
  // A policy may refuse what the entries grant.
  for (const child of found) if (await hasPermission(session, child, 'Read')) readable.push(child)
  return throughProxies(session, readable)
}
