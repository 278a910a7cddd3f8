import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { bytesIn } from '../../model/properties/property.ts'
import { countSizes } from './count-sizes.ts'
import { findFolder, listFoldersAt, type QuotaFolder } from './quota-folders.ts'
import { settleQuotas } from './quota-ledger.ts'
import { pathsDownTo } from './sizes.ts'

/** -1 where nobody counts. */
export type QuotaInfo = { readonly innerSize: number; readonly totalSize: number; readonly maxQuota: number }

const inactive: QuotaInfo = { innerSize: -1, totalSize: -1, maxQuota: -1 }

/** The quota of a document that the caller may read. */
export async function findQuota(session: Session, { id }: Pick<Document, 'id'>): Promise<QuotaFolder | undefined> {
  await settleQuotas(session)
  return findFolder(session.reader.tables, id)
}

/**
 * What a document that the caller may read holds itself, what it holds with all that is below it, and how much it may. What a folder
 * without a quota holds nobody keeps, and to count it here would take as long as it is large.
 */
export async function readQuotaInfo(session: Session, document: Document): Promise<QuotaInfo> {
  const folder = await findQuota(session, document)
  const innerSize = bytesIn(document.properties)
  if (folder !== undefined) return { innerSize, totalSize: folder.sizes.total, maxQuota: folder.max }
  const { path, isProxy } = document
  if (path === null || isProxy) return inactive
  const above = await listFoldersAt(session.reader.tables, pathsDownTo(path))
  if (above.length === 0) return inactive
  const isFolder = session.model.shapeOf(document).hasFacet('Folderish')
  return { innerSize, totalSize: isFolder ? -1 : (await countSizes(session, path)).total, maxQuota: -1 }
}
