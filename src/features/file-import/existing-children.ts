import { documentNotFound } from '../../core/documents/read-document.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

/** By what an earlier document of the same file is known. */
export type ExistingBy = 'title' | 'fileName'

const columns = { title: 'dc:title', fileName: 'file:content/name' } as const

/**
 * What is in a folder under a title or the name of a file, neither in the trash nor a proxy; what was made first comes first. The folder is
 * locked: only one transaction at a time finds nothing, and one that waited sees what the other made.
 * @throws documentNotFound
 */
export async function listExisting(
  session: WriteSession,
  folder: Document,
  by: ExistingBy,
  value: string,
): Promise<readonly Document[]> {
  const locked = await session.tx.documents.findForUpdate(folder.id)
  if (locked === undefined) throw documentNotFound({ reference: folder.id })
  const isThere = `ecm:parentId = ${quoted(folder.id)} AND ecm:isTrashed = 0 AND ecm:isProxy = 0`
  const query = `SELECT * FROM Document WHERE ${isThere} AND ${columns[by]} = ${quoted(value)}`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0 })
  return documents
}
