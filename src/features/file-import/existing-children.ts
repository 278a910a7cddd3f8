import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

/** By what an earlier document of the same file is known. */
export type ExistingBy = 'title' | 'fileName'

const columns = { title: 'dc:title', fileName: 'file:content/name' } as const

/** What is in a folder under a title or the name of a file, neither in the trash nor a proxy; what was made first comes first. */
export async function listExisting(
  session: WriteSession,
  folder: Document,
  by: ExistingBy,
  value: string,
): Promise<readonly Document[]> {
  const isThere = `ecm:parentId = ${quoted(folder.id)} AND ecm:isTrashed = 0 AND ecm:isProxy = 0`
  const query = `SELECT * FROM Document WHERE ${isThere} AND ${columns[by]} = ${quoted(value)}`
  const { documents } = await searchDocuments(session, compile(session, query), { offset: 0 })
  return documents
}
