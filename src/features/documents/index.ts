import { documentEvents } from '../../core/event-definition.ts'
import { runProvider } from '../../core/search/providers/run-provider.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { defineAdapter } from '../../rest/adapter.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { documentWriter } from '../../rest/render/document-entity.ts'
import { adapterPagingOf, idleAdapterMaxResults, pagingParameters } from '../../rest/request/paging.ts'
import { requireDocument } from '../../rest/resource.ts'
import { bulkDocuments } from './bulk-root.ts'
import { documentById, documentByPath } from './document-roots.ts'
import { emptyWithDefaultAdapter } from './empty-with-default-adapter.ts'

/** Counts no further than its page, so that a page of a huge folder does not cost its whole length. */
const providerName = 'CURRENT_DOC_CHILDREN'

/** The live, visible children of a document, a page at a time. */
const childrenAdapter = defineAdapter({
  name: 'children',
  operationId: 'listChildren',
  summary: 'Children of the document: not trashed, not hidden, by title unless told otherwise',
  accepts: ['document'],
  yields: 'documents',
  query: Type.Object({ ...pagingParameters, maxResults: idleAdapterMaxResults }),
  async resolve({ session, resource, sent }) {
    const currentDocument = requireDocument(resource)
    const { maxResults: _ofTheProvider, ...paging } = adapterPagingOf(sent.query)
    const provider = session.repository.pageProviders.read(providerName)
    const request = { ...paging, parameters: [currentDocument.id], currentDocument }
    return { kind: 'documents', ...(await runProvider(session, provider, request)) }
  },
})

/** Documents over REST: by id, by path, several at once, their children, and empty ones to start from. */
export default definePlugin({
  name: 'documents',
  events: documentEvents,
  resources: [documentById, documentByPath, bulkDocuments],
  adapters: [childrenAdapter, emptyWithDefaultAdapter],
  entityWriters: [documentWriter],
})
