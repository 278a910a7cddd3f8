import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'

const usualSize = 200

/** The documents that meet all conditions of NXQL, in the order of their ids, page by page; what is done with one page may change the next. */
export async function* everyPage(
  session: Session,
  type: 'Document' | 'DocumentRoute',
  conditions: readonly string[],
  size = usualSize,
): AsyncGenerator<readonly Document[]> {
  for (let last = ''; ; ) {
    const all = [...conditions, `ecm:uuid > ${quoted(last)}`].join(' AND ')
    const query = compile(session, `SELECT * FROM ${type} WHERE ${all} ORDER BY ecm:uuid`)
    const { documents } = await searchDocuments(session, query, { offset: 0, limit: size })
    if (documents.length > 0) yield documents
    const end = documents.at(-1)
    if (end === undefined || documents.length < size) return
    last = end.id
  }
}
