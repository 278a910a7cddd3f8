import { defineOperation } from '../../../automation/operation.ts'
import { defaulted, optional, required } from '../../../automation/parameter.ts'
import { parameterMissing } from '../../../automation/values/convert-parameter.ts'
import type { PageProvider } from '../../../core/search/providers/page-provider.ts'
import { runRowProvider } from '../../../core/search/providers/run-provider.ts'
import { requireFound } from '../failed-search.ts'
import { nxqlProvider, requireNxql } from '../nxql-provider.ts'
import { namedRequestOf, requestOf, searchParameters } from './search-parameters.ts'

export const resultSetQueryOperation = defineOperation({
  id: 'Repository.ResultSetQuery',
  aliases: ['ResultSet.PaginatedQuery'],
  category: 'Fetch',
  description: 'Gives a page of the rows that a query selects, each by the names of its columns.',
  effect: 'reads',
  params: {
    query: required('string', { description: 'NXQL, such as SELECT dc:title, ecm:uuid FROM File' }),
    ...searchParameters,
    maxResults: optional('integer', { description: 'Counting stops here, and resultsCount is then -2' }),
  },
  run: ({ on }) => [
    on('void', 'recordset', async (_, { session, params, context }) => {
      requireNxql(params.language)
      const provider = nxqlProvider(session, params.query, params.maxResults)
      return requireFound(await runRowProvider(session, provider, requestOf(params, context)))
    }),
  ],
})

export const resultSetPageProviderOperation = defineOperation({
  id: 'Repository.ResultSetPageProvider',
  aliases: ['Resultset.PageProvider'],
  category: 'Fetch',
  description: 'Gives a page of the rows that a page provider selects.',
  effect: 'reads',
  params: {
    providerName: optional('string', { description: 'Which one; a call without it is refused' }),
    ...searchParameters,
    maxResults: defaulted('string', '100', {
      description: 'Counting stops here: a number, PAGE_SIZE or DEFAULT_NAVIGATION_RESULTS',
    }),
  },
  run: ({ on }) => [
    on('void', 'recordset', async (_, { session, params, context }) => {
      requireNxql(params.language)
      if (!params.providerName) throw parameterMissing({ name: 'providerName', operation: 'Repository.ResultSetPageProvider' })
      const provider = session.repository.pageProviders.read(params.providerName)
      const counting = { ...provider, maxResults: countLimitOf(params.maxResults) }
      return requireFound(await runRowProvider(session, counting, namedRequestOf(params, context)))
    }),
  ],
})

/** What is neither a number nor a known name does not limit anything. */
function countLimitOf(text: string): NonNullable<PageProvider['maxResults']> {
  const limit = text.trim()
  if (limit === 'PAGE_SIZE' || limit === 'DEFAULT_NAVIGATION_RESULTS') return limit
  return /^\d+$/.test(limit) ? Number(limit) : 0
}
