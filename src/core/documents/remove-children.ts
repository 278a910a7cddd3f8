import type { Document, DocumentId } from '../../model/document.ts'
import { hasPermission, requirePermission } from '../permissions.ts'
import type { WriteSession } from '../session.ts'
import { isSpecial } from './children.ts'
import { documentNotFound } from './read-document.ts'
import { removeIfStill } from './remove-document.ts'

const readAtOnce = 500

/** Empties a folder for good of all that the caller may remove. */
export async function removeChildren(session: WriteSession, folderId: DocumentId): Promise<void> {
  const folder = await session.tx.documents.find(folderId)
  if (folder === undefined) throw documentNotFound({ reference: folderId })
  await requirePermission(session, folder, 'RemoveChildren')
  const ids = await session.tx.documents.listChildIds(folderId)
  // A proxy would stand in the way of what it shows, so proxies go first.
  for await (const child of everyDocument(session, ids)) if (child.isProxy) await removeIfAllowed(session, child)
  for await (const child of everyDocument(session, ids)) await removeIfAllowed(session, child)
}

async function removeIfAllowed(session: WriteSession, child: Document): Promise<void> {
  if (isSpecial(session.model, child)) return
  if (!(await hasPermission(session, child, 'Remove'))) return
  await removeIfStill(session, child.id, ({ parentId }) => parentId === child.parentId)
}

async function* everyDocument(session: WriteSession, ids: readonly DocumentId[]): AsyncGenerator<Document> {
  for (let start = 0; start < ids.length; start += readAtOnce) {
    yield* await session.tx.documents.findAll(ids.slice(start, start + readAtOnce))
  }
}
