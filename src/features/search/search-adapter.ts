import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
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
  orderBy: Type.Text({ description: 'Order of what fullText finds, such as `dc:created DESC`; by title unless told' }),
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
    const { provider, request } = planSearch(session, requireDocument(resource), sent.query, maxResults)
    return { kind: 'documents', ...(await runProvider(session, provider, { ...paging, ...request })) }
  },
})

interface Search {
  readonly provider: PageProvider
  readonly request: ProviderRequest
}

const fulltextBelow = 'SELECT * FROM Document WHERE ecm:fulltext = ? AND ecm:isVersion = 0 AND ecm:path STARTSWITH ?'

function planSearch(
  session: Session,
  document: Document,
  { query, fullText: words, orderBy = 'dc:title' }: Static<typeof parameters>,
  maxResults: number | undefined,
): Search {
  if (query !== undefined) return { provider: nxqlProvider(session, query, maxResults), request: {} }
  if (words === undefined) throw nothingToSearch({})
  const sort = parseOrderBy(orderBy)
  const provider = { ...nxqlProvider(session, fulltextBelow, maxResults), sort }
  return { provider, request: { parameters: [words, basePath(session, document)] } }
}

/** Of a document that is no folder, the folder that it is in. */
function basePath(session: Session, document: Document): string {
  const { path } = document
  if (path === null || session.model.shapeOf(document).hasFacet('Folderish')) return path ?? '/'
  return path.slice(0, path.lastIndexOf('/')) || '/'
}
