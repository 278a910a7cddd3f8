import { defineProblem } from '../../base/problem.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import type { ProviderRequest } from '../../core/search/providers/provider-request.ts'
import { readCriteria } from '../../core/search/query/search-document.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { splitAtCommas } from '../../rest/payload/declared-input.ts'
import { type Paging, sortsOf } from '../../rest/request/paging.ts'
import { nxqlProvider, requireDocumentProvider, requireNxql, type SentSearch, searchRequestOf } from '../search/index.ts'
import { heededCriteria, heldCriteria } from './saved-criteria.ts'
import { readFields, readNamedParams, type SavedFields } from './saved-search.ts'
import { searchTypeOf } from './saved-searches.ts'

export const criteriaOfAnother = defineProblem(
  'criteriaOfAnother',
  'invalid',
  (of: { id: string; type: string }) =>
    `The saved search ${of.id} holds criteria of a ${of.type}, which what it runs now does not heed. Save it again with the criteria that it is to have.`,
)

/** What a request may still choose of a search that is saved. */
export type SavedSearchChoice = Paging & Pick<ProviderRequest, 'quickFilters' | 'skipsAggregates'>

export interface SavedSearchRun {
  readonly provider: PageProvider
  readonly request: ProviderRequest
}

export function choiceOf(sent: SentSearch): SavedSearchChoice {
  const { parameters: _, named: __, pageSize = -1, ...choice } = searchRequestOf(sent)
  const { maxResults } = sent.query
  // A size below 0 says as little as none at all; a limit below 1 says that there is none, whatever is saved.
  return { ...choice, ...(pageSize >= 0 && { pageSize }), ...(maxResults !== undefined && { maxResults }) }
}

/** What to run for a saved search. Page and order of the request come before those that are stored. @throws criteriaOfAnother */
export function planRun(session: Session, document: Document, choice: SavedSearchChoice): SavedSearchRun {
  const fields = readFields(document)
  const { maxResults = fields.maxResults ?? 0, ...chosen } = choice
  const provider = providerOf(session, fields, maxResults > 0 ? maxResults : undefined)
  // Its fields are the criteria; where it is of another type, those were stored as named parameters.
  const hasCriteria = searchTypeOf(provider) === document.type
  const request: ProviderRequest = {
    ...storedChoice(fields),
    ...chosen,
    ...(fields.queryParams !== null && { parameters: [fields.queryParams] }),
    named: readNamedParams(document),
    ...(hasCriteria && { searchDocument: { type: document.type, properties: document.properties } }),
  }
  // Whoever changed the document itself may have left some behind, without which it would find more.
  const isLeftBehind = !hasCriteria && heldCriteria(session.model, document).length > 0
  if (isLeftBehind || leavesOut(session, provider, request)) throw criteriaOfAnother({ id: document.id, type: document.type })
  return { provider, request }
}

/** Whether it has a criterion that another provider of the same type would heed, and this one does not. */
function leavesOut({ model, repository }: Session, provider: PageProvider, request: ProviderRequest): boolean {
  const { document } = readCriteria(model, searchTypeOf(provider), request)
  if (document === undefined) return false
  const shape = model.shapeOf(document)
  const heeded = heededCriteria(provider, shape)
  const others = heldCriteria(model, document).filter((name) => !heeded.has(name))
  const isOfType = (one: PageProvider) => searchTypeOf(one) === document.type
  return (
    others.length > 0 &&
    repository.pageProviders.list().some((one) => isOfType(one) && !heededCriteria(one, shape).isDisjointFrom(new Set(others)))
  )
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
