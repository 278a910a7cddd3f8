import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { splitAtCommas } from '../../rest/payload/declared-input.ts'
import { type Paging, searchPagingOf, sortsOf } from '../../rest/request/paging.ts'
import { nxqlProvider, requireDocumentProvider, requireNxql, type SentSearch, searchRequestOf } from '../search/index.ts'
import { readFields, readNamedParams, type SavedFields } from './saved-search.ts'
import { searchTypeOf } from './saved-searches.ts'

/** What a request may still choose of a search that is saved. */
export type SavedSearchChoice = Paging & Pick<ProviderRequest, 'quickFilters' | 'skipsAggregates'>

export interface SavedSearchRun {
  readonly provider: PageProvider
  readonly request: ProviderRequest
}

export function choiceOf(sent: SentSearch): SavedSearchChoice {
  const { parameters: _, named: __, ...choice } = searchRequestOf(sent)
  const { maxResults } = searchPagingOf(sent.query)
  return { ...choice, ...(maxResults !== undefined && { maxResults }) }
}

/** What to run for a saved search. Page and order of the request come before those that are stored. */
export function planRun(session: Session, document: Document, choice: SavedSearchChoice): SavedSearchRun {
  const fields = readFields(document)
  const { maxResults = fields.maxResults ?? undefined, ...chosen } = choice
  const provider = providerOf(session, fields, maxResults)
  // Its fields are the criteria; where it is of another type, those were stored as named parameters.
  const hasCriteria = searchTypeOf(provider) === document.type
  return {
    provider,
    request: {
      ...storedChoice(fields),
      ...chosen,
      ...(fields.queryParams !== null && { parameters: [fields.queryParams] }),
      named: readNamedParams(document),
      ...(hasCriteria && { searchDocument: { type: document.type, properties: document.properties } }),
    },
  }
}

function providerOf(session: Session, fields: SavedFields, maxResults: number | undefined): PageProvider {
  const { query, queryLanguage, pageProviderName } = fields
  if (query === null) return requireDocumentProvider(session.repository.pageProviders.read(pageProviderName ?? ''))
  requireNxql(queryLanguage ?? '')
  return nxqlProvider(session, query, maxResults)
}

function storedChoice({ pageSize, currentPageIndex, sortBy, sortOrder }: SavedFields): ProviderRequest {
  const columns = splitAtCommas(sortBy ?? '').filter((column) => column !== '')
  return {
    ...(pageSize !== null && { pageSize }),
    ...(currentPageIndex !== null && { pageIndex: currentPageIndex }),
    ...(columns.length > 0 && { sort: sortsOf(columns, splitAtCommas(sortOrder ?? '')) }),
  }
}
