import type { Document, DocumentId } from '../../../model/document.ts'
import { hasPermission, requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { documentNotFound } from '../read-document.ts'
import { removeDocument } from '../remove-document.ts'

/** Removes every proxy of the document and of its versions that the caller may remove; gives how many. The others stay. */
export async function unpublishDocument(session: WriteSession, id: DocumentId): Promise<number> {
  const document = await session.tx.documents.find(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, document, 'Read')
  let removed = 0
  const proxies = await session.tx.documents.listProxies(document.seriesId ?? document.id)
  // From the bottom: one proxy may be below another.
  for (const proxy of proxies.toSorted((one, other) => ((one.path ?? '') < (other.path ?? '') ? 1 : -1))) {
    if (!(await mayRemove(session, proxy))) continue
    await removeDocument(session, proxy.id)
    removed += 1
  }
  return removed
}

async function mayRemove(session: WriteSession, proxy: Document): Promise<boolean> {
  if (!(await hasPermission(session, proxy, 'Remove'))) return false
  const parent = proxy.parentId === null ? undefined : await session.tx.documents.find(proxy.parentId)
  return parent === undefined || hasPermission(session, parent, 'RemoveChildren')
}
