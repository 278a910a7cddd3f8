import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { allDocuments } from '../../../core/search/providers/conditions.ts'
import { runProvider } from '../../../core/search/providers/run-provider.ts'
import { Type } from '../../../rest/openapi/schema.ts'
import { readHeaders } from '../../../rest/payload/declared-input.ts'
import { searchSwitches } from '../../../rest/request/declared-headers.ts'
import { requireDocumentProvider } from '../document-provider.ts'
import { requireFound } from '../failed-search.ts'
import { withHighlighting } from '../highlighting.ts'
import { nxqlProvider, requireNxql } from '../nxql-provider.ts'
import { namedRequestOf, requestOf, searchParameters } from './search-parameters.ts'

const switches = Type.Object(searchSwitches)
const countLimit = optional('integer', { description: 'Counting stops here, and resultsCount is then -2' })

export const queryOperation = defineOperation({
  id: 'Repository.Query',
  aliases: ['Document.Query'],
  category: 'Fetch',
  description: 'Gives a page of the documents that a query finds.',
  effect: 'reads',
  params: {
    query: optional('string', { description: 'NXQL; all documents when absent' }),
    ...searchParameters,
    maxResults: countLimit,
    quotePatternParameters: defaulted('boolean', true, { description: 'Put quotes around what fills a ?' }),
    escapePatternParameters: defaulted('boolean', true, { description: 'Escape what fills a ?' }),
  },
  run: ({ on }) => [
    on('void', 'documents', async (_, { session, params, context }) => {
      requireNxql(params.language)
      const { query = '', quotePatternParameters: quotesParameters, escapePatternParameters: escapesParameters } = params
      const provider = nxqlProvider(session, query.trim() || allDocuments, params.maxResults)
      const found = await runProvider(session, { ...provider, quotesParameters, escapesParameters }, requestOf(params, context))
      return requireFound(found)
    }),
  ],
})

export const pageProviderOperation = defineOperation({
  id: 'Repository.PageProvider',
  aliases: ['Document.PageProvider'],
  category: 'Fetch',
  description: 'Gives a page of the documents that a page provider finds, with its aggregates.',
  effect: 'reads',
  params: {
    providerName: required('string'),
    ...searchParameters,
    offset: optional('integer', { description: 'The first entry, instead of a page' }),
    documentLinkBuilder: optional('string', { description: 'Not used' }),
    quickFilters: optional('stringlist', { description: 'Names of quick filters to switch on' }),
    highlights: optional('stringlist', { description: 'Fields to mark matches in, shown by the enricher highlight' }),
  },
  run: ({ on }) => [
    on('void', 'documents', async (_, { session, params, context }) => {
      requireNxql(params.language)
      const { providerName, offset, quickFilters, highlights = [] } = params
      const { entityProviders } = context.services
      const named = entityProviders.get(providerName) ?? session.repository.pageProviders.read(providerName)
      const provider = requireDocumentProvider(named)
      const found = await runProvider(session, provider, {
        ...namedRequestOf(params, context),
        ...(offset !== undefined && { offset }),
        ...(quickFilters !== undefined && { quickFilters }),
        skipsAggregates: readHeaders(switches, context.host).SkipAggregates ?? false,
      })
      return withHighlighting(session, requireFound(found), highlights)
    }),
  ],
})
