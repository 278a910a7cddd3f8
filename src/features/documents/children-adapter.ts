import { runProvider } from '../../core/search/run-provider.ts'
import type { Adapter } from '../../rest/adapter.ts'
import { parseAdapterPaging } from '../../rest/paging.ts'
import { pagingParameters } from '../../rest/parameters.ts'
import { requireDocument } from '../../rest/resource.ts'
import { Type } from '../../rest/schema.ts'

/** Counts no further than its page, so that a page of a huge folder does not cost its whole length. */
const providerName = 'CURRENT_DOC_CHILDREN'

/** The live, visible children of a document, a page at a time. */
export const childrenAdapter: Adapter = {
  name: 'children',
  summary: 'Children of the document: not trashed, not hidden, by title unless told otherwise',
  accepts: ['document'],
  query: Type.Object(pagingParameters),
  async resolve({ session, exchange, resource }) {
    const currentDocument = requireDocument(resource)
    const { maxResults: _ofTheProvider, ...paging } = parseAdapterPaging(exchange.request.query)
    const provider = session.repository.pageProviders.read(providerName)
    const request = { ...paging, parameters: [currentDocument.id], currentDocument }
    return { kind: 'documents', ...(await runProvider(session, provider, request)) }
  },
}
