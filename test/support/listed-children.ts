import { compile, searchDocuments } from '../../src/core/search/page/run-query.ts'
import type { Session } from '../../src/core/session.ts'

/** The ids of the children that the session's principal is shown, whether or not it may read their folder. */
export async function listedChildren(session: Session, parentId: string): Promise<readonly string[]> {
  const query = compile(session, `SELECT * FROM Document WHERE ecm:parentId = '${parentId}' AND ecm:isTrashed = 0`)
  const { documents } = await searchDocuments(session, query, { offset: 0 })
  return documents.map(({ id }) => id)
}
