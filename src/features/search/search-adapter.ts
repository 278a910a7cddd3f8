import { defineProblem } from '../../base/problem.ts'
import { findPlaced } from '../../core/documents/ancestors.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import { splitQuery } from '../../core/search/query/split-query.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { forgivingFulltext } from '../../nxql/fulltext/fulltext-sanitise.ts'
import { defineAdapter } from '../../rest/adapter.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import { adapterMaxResults, adapterPagingOf, pagingParameters } from '../../rest/request/paging.ts'
import { requireDocument } from '../../rest/resource.ts'
import { nxqlProvider } from './nxql-provider.ts'
import { parseOrderBy } from './order-by.ts'

export const nothingToSearch = defineProblem(
  'nothingToSearch',
  'invalid',
  (_: object) => 'Expecting a query or a fullText parameter',
)

const parameters = Type.Object({
  query: Type.Text({ description: 'NXQL; the document is not looked at' }),
  fullText: Type.Text({
    description: 'Words to look for below the document, or beside it if it is no folder',
    examples: ['report'],
  }),
  orderBy: Type.Text({ description: 'Order, such as `dc:created DESC`; unless told that of the query, else by title' }),
  maxResults: adapterMaxResults,
  ...pagingParameters,
})

/** Documents found by a query, or below the document by their words. A search that fails is a page that says so. */
export const searchAdapter = defineAdapter({
  name: 'search',
  operationId: 'search',
  summary: 'Documents that a query finds, wherever they are, or those below the document that hold the words',
  accepts: ['document'],
  yields: 'documents',
  query: parameters,
  async resolve({ session, resource, sent }) {
    const { maxResults, ...paging } = adapterPagingOf(sent.query)
    const { provider, request } = await planSearch(session, requireDocument(resource), sent.query, maxResults)
    return { kind: 'documents', ...(await runProvider(session, provider, { ...paging, ...request })) }
  },
})

interface Search {
  readonly provider: PageProvider
  readonly request: ProviderRequest
}

const fulltextBelow = 'SELECT * FROM Document WHERE ecm:fulltext = ? AND ecm:isVersion = 0 AND ecm:path STARTSWITH ?'

async function planSearch(
  session: Session,
  document: Document,
  { query, fullText: words, orderBy }: Static<typeof parameters>,
  maxResults: number | undefined,
): Promise<Search> {
  if (query === undefined && words === undefined) throw nothingToSearch({})
  const text = query ?? fulltextBelow
  const order = orderBy ?? (isOrdered(text) ? undefined : 'dc:title')
  const provider = { ...nxqlProvider(session, text, maxResults), ...(order !== undefined && { sort: parseOrderBy(order) }) }
  const parameters =
    query === undefined && words !== undefined ? [forgivingFulltext(words), await findBasePath(session, document)] : []
  return { provider, request: { parameters } }
}

/** A query that does not select documents as a whole may have no title to be ordered by. */
function isOrdered(query: string): boolean {
  const { head, order } = splitQuery(query)
  return order !== undefined || !wholeDocuments.test(head)
}

const wholeDocuments = /^\s*select(?:\s+(?:all|distinct))?\s*\*/i

/** Of a document that is no folder, the folder that it is in. */
async function findBasePath(session: Session, document: Document): Promise<string> {
  const placed = await findPlaced(session, document)
  const { path } = placed
  if (path === null || session.model.shapeOf(placed).hasFacet('Folderish')) return path ?? '/'
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
