import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { type Criteria, parametersOf } from './criteria.ts'
import { documentKeys, inLists, type PageQuery, queryDocuments, quote, visible } from './documents.ts'
import type { components } from './entities.ts'
import type { DocumentPage } from './types.ts'

export type Aggregate = components['schemas']['Aggregate']

export const searchProvider = 'default_search'
export const searchPageSize = 40

/** One page of what is found, with the words marked that were looked for, and all of it counted by its facets. */
export function foundQuery(criteria: Criteria, page: number, language: string, schemas: readonly string[] = []): PageQuery {
  const { sort } = criteria
  return {
    queryKey: [...documentKeys.all, 'found', criteria, language, schemas, page],
    queryFn: ({ signal }) =>
      call<DocumentPage>(`search/pp/${searchProvider}/execute`, {
        signal,
        query: {
          pageSize: searchPageSize,
          currentPageIndex: page,
          highlight: 'dc:title.fulltext,ecm:binarytext,dc:description,note:note',
          ...(sort && { sortBy: sort.by, sortOrder: sort.order }),
          ...parametersOf(criteria),
        },
        headers: {
          properties: inLists(schemas),
          'enrichers.document': 'highlight,thumbnail,breadcrumb',
          'fetch.aggregate': 'key',
          'Accept-Language': language,
          // They are about all that is found, and come with its beginning.
          ...(page > 0 && { skipAggregates: 'true' }),
        },
      }),
  }
}

/** One page of what a query finds that somebody has written. */
export function foundByQuery(nxql: string, page: number): PageQuery {
  return {
    queryKey: [...documentKeys.all, 'query', nxql, page],
    queryFn: ({ signal }) => queryDocuments(nxql, { page, pageSize: searchPageSize, signal, enrichers: ['thumbnail'] }),
  }
}

/** Documents to go to while somebody types: whose title has the words, the last one perhaps not to its end. */
export function suggestedQuery(words: string) {
  const title = `${words.replaceAll(/["*]/g, ' ').trim()}*`
  const nxql = `SELECT * FROM Document WHERE ${visible} AND ecm:fulltext.dc:title = ${quote(title)} ORDER BY dc:modified DESC`
  return queryOptions({
    queryKey: [...documentKeys.all, 'suggested', words] as const,
    queryFn: ({ signal }) => queryDocuments(nxql, { pageSize: 8, signal, enrichers: ['breadcrumb'] }),
  })
}
