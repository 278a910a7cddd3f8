import type { Document, DocumentId } from '../../../model/document.ts'
import { requirePermission } from '../../permissions.ts'
import type { WriteSession } from '../../session.ts'
import { documentNotFound } from '../read-document.ts'
import { removeIfStill } from '../remove-document.ts'

/** Removes every proxy of the document and of its versions, wherever they are. @throws privilegeMissing when one may not be removed */
export async function removeProxies(session: WriteSession, id: DocumentId): Promise<void> {
  for (const proxy of await listProxiesOf(session, id)) await removeIfStill(session, proxy.id)
}

/** Every proxy of the document and of its versions, from the bottom: one proxy may be below another. */
export async function listProxiesOf(session: WriteSession, id: DocumentId): Promise<readonly Document[]> {
  const document = await session.tx.documents.find(id)
  if (document === undefined) throw documentNotFound({ reference: id })
  await requirePermission(session, document, 'Read')
  const proxies = await session.tx.documents.listProxies(document.seriesId ?? document.id)
  return proxies.toSorted((one, other) => ((one.path ?? '') < (other.path ?? '') ? 1 : -1))
}
