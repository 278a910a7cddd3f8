import type { Document, DocumentId } from '../../model/document.ts'
import type { Model } from '../../model/model.ts'
import { joinPath } from '../../model/path-segment.ts'
import type { SortKey } from '../../store/documents.ts'
import { hasPermission, requirePermission } from '../permissions.ts'
import { throughProxies } from '../search/page/through-proxies.ts'
import type { Session, WriteSession } from '../session.ts'
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

// A folder may hold any number, and the consumer may stop early.
const childrenAtOnce = 200

/** Whether it belongs to the document that it is below, rather than being a child of it. A proxy is a child whatever it shows. */
export function isSpecial(model: Model, { type, isProxy }: Pick<Document, 'type' | 'isProxy'>): boolean {
  return !isProxy && model.shapeOf({ type }).type.isSpecial === true
}

/** Whether nothing but what belongs to it is below the document. */
export async function hasNoChildren(session: WriteSession, id: DocumentId): Promise<boolean> {
  const ids = await session.tx.documents.listChildIds(id)
  if (ids.length > fewSpecial) return false
  return (await session.tx.documents.findAll(ids)).every((child) => isSpecial(session.model, child))
}

const fewSpecial = 10

/**
 * All children that the caller may read, trashed and hidden ones too, as they are seen; page by page.
 * @throws privilegeMissing, documentsTooLarge
 */
export async function* everyReadableChild(
  session: Session,
  folder: Document,
  order: readonly SortKey[] = inFolderOrder,
): AsyncGenerator<readonly Document[]> {
  await requirePermission(session, folder, 'ReadChildren')
  const readableAcps = await session.repository.acps.readableBy(session, 'Read')
  const filter = { parentId: folder.id, ...(readableAcps !== undefined && { readableAcps }) }
  const { maxListedBytes } = session.repository.rules
  for (let start = 0; ; start += childrenAtOnce) {
    const children = await session.reader.documents.listChildren(filter, order, childrenAtOnce, start, maxListedBytes)
    const proper = children.filter((child) => !isSpecial(session.model, child))
    yield await throughProxies(session, await onlyReadable(session, proper), maxListedBytes)
    if (children.length < childrenAtOnce) return
  }
}

/** A policy may refuse what the entries grant. */
async function onlyReadable(session: Session, documents: readonly Document[]): Promise<readonly Document[]> {
  const readable: Document[] = []
  for (const document of documents) if (await hasPermission(session, document, 'Read')) readable.push(document)
  return readable
}
