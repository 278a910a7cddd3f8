import { systemAccess } from '../../core/access.ts'
import { compile, searchDocuments } from '../../core/search/page/run-query.ts'
import { allOf } from '../../core/search/providers/conditions.ts'
import { quoted } from '../../core/search/query/nxql-text.ts'
import type { Repository } from '../../core/session.ts'
import type { DocumentId } from '../../model/document.ts'

const pageSize = 200
// After this time slice other jobs have their turn.
const sliceMillis = 500

/** What is visited, in the order of the ids, and from which on. */
export interface Walk {
  readonly conditions: readonly string[]
  readonly after: DocumentId
}

/**
 * Visits documents one after the other, each of which may change them so that they are found no more, until all are visited or the time slice is
 * over. Gives where to go on; undefined at the end. Begun anew, it finds what is left: whoever is killed in the middle has lost nothing.
 */
export async function walk(
  repository: Repository,
  { conditions, after: begin }: Walk,
  visit: (id: DocumentId) => Promise<void>,
): Promise<DocumentId | undefined> {
  const end = performance.now() + sliceMillis
  for (let after = begin; ; ) {
    const ids = await findPage(repository, conditions, after)
    for (const id of ids) {
      await visit(id)
      after = id
      if (performance.now() >= end) return after
    }
    if (ids.length < pageSize) return undefined
  }
}

function findPage(repository: Repository, conditions: readonly string[], after: DocumentId): Promise<readonly DocumentId[]> {
  const where = allOf(...conditions, 'ecm:isVersion = 0', 'ecm:isProxy = 0', `ecm:uuid > ${quoted(after)}`)
  return systemAccess(repository).read(async (session) => {
    const query = compile(session, `SELECT * FROM Document WHERE ${where} ORDER BY ecm:uuid`)
    const { documents } = await searchDocuments(session, query, { offset: 0, limit: pageSize })
    return documents.map(({ id }) => id)
  })
}
