import type { IsoDate } from '../../../base/iso-date.ts'
import { type QueryLimits, requireWithin } from '../../../nxql/query-limits.ts'
import type { Session } from '../../session.ts'
import { type SelectedAggregate, selectAggregates, withSelections } from '../aggregates/selected-aggregates.ts'
import { providerQuery } from '../query/provider-query.ts'
import { type Criteria, readCriteria } from '../query/search-document.ts'
import type { PageProvider } from './page-provider.ts'
import { withCurrentNames } from './provider-parameters.ts'
import type { ProviderRequest } from './provider-request.ts'

/** What a provider made of a request. */
export interface ProviderSearch {
  readonly provider: PageProvider
  readonly request: ProviderRequest
  readonly criteria: Criteria
  /** The query of the provider. */
  readonly text: string
  /** The same, with what is selected in the aggregates. */
  readonly narrowed: string
  readonly aggregates: readonly SelectedAggregate[]
  readonly started: IsoDate
}

/** @throws queryTooLarge, invalidCriterion, tooManyParameters, unsortableColumn, unsupportedOperator */
export function prepareSearch(session: Session, provider: PageProvider, sent: ProviderRequest): ProviderSearch {
  requireBounded(session.repository.searchRules.query.limits, provider, sent)
  const request = withCurrentNames(session, sent)
  const criteria = readCriteria(session.model, searchDocumentTypeOf(provider), request)
  const text = providerQuery(session, provider, request, criteria)
  const aggregates = selectAggregates(session, provider, criteria)
  const narrowed = withSelections(text, aggregates)
  return { provider, request, criteria, text, narrowed, aggregates, started: session.repository.now() }
}

export function searchDocumentTypeOf({ searchDocumentType, whereClause }: PageProvider): string | undefined {
  return searchDocumentType ?? whereClause?.documentType
}

/** Before anything is made of it: what a request fills in becomes part of the query, some of it several times. @throws queryTooLarge */
function requireBounded(limits: QueryLimits, { pattern = '' }: PageProvider, request: ProviderRequest): void {
  const { parameters = [], named = {}, sort = [], quickFilters = [] } = request
  const values = [...parameters, ...Object.values(named)]
  requireWithin(limits, 'parameters', values.length)
  requireWithin(limits, 'orderColumns', sort.length)
  requireWithin(limits, 'predicates', quickFilters.length)
  const ofLists = values.filter((value) => Array.isArray(value)).flat()
  requireWithin(limits, 'listItems', ofLists.length)
  const texts = [...values, ...ofLists].filter((value) => !Array.isArray(value))
  const characters = texts.reduce((sum: number, text) => sum + (typeof text === 'string' ? text.length : 1), pattern.length)
  requireWithin(limits, 'characters', characters)
}
