import { Type } from 'typebox'
import { listVisibleChildren } from '../../core/documents/list-children.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { pageOf, parsePaging, sortKeys } from '../../rest/paging.ts'
import { pagingParameters } from '../../rest/parameters.ts'
import { requireDocument } from '../../rest/resource.ts'

/** How far children are counted unless the client asks otherwise: a page of a huge folder must not cost its whole length. */
const defaultCountLimit = 10_000

/** The live, visible children of a document, a page at a time. */
export const childrenAdapter: Adapter = {
  name: 'children',
  summary: 'Children of the document: not trashed, not hidden, by title unless told otherwise',
  accepts: ['document'],
  query: Type.Object(pagingParameters),
  async resolve({ session, exchange, resource }) {
    const parent = requireDocument(resource)
    const { maxPageSize } = exchange.services.facts
    const paging = parsePaging(exchange.request.query, maxPageSize)
    const countLimit = countLimitOf(paging.maxResults)
    const { documents, count } = await listVisibleChildren(session, parent, {
      sort: sortKeys(session.model, paging.sort),
      offset: paging.offset,
      size: paging.size,
      countLimit: countLimit === 0 ? Number.MAX_SAFE_INTEGER - 1 : countLimit,
    })
    return { kind: 'documents', documents, page: pageOf(paging, documents.length, count, { maxPageSize, countLimit }) }
  },
}

function countLimitOf(maxResults: number | undefined): number {
  if (maxResults === undefined) return defaultCountLimit
  return maxResults <= 0 ? 0 : maxResults
}
