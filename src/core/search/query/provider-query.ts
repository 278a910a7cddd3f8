import type { PropertyValue } from '../../../model/properties/property.ts'
import { forgivingBeginning, forgivingFulltext } from '../../../nxql/fulltext/fulltext-sanitise.ts'
import type { Session } from '../../session.ts'
import { allDocuments } from '../providers/conditions.ts'
import type { PageProvider, QuickFilter, WhereClause } from '../providers/page-provider.ts'
import { isEmptyTerm, spareParameters } from '../providers/provider-parameters.ts'
import type { ProviderRequest } from '../providers/provider-request.ts'
import { patternText } from './criterion-text.ts'
import { activeFilters, effectiveSort } from './effective-sort.ts'
import { createPatternFiller, type FillStyle, type PatternFiller } from './fill-pattern.ts'
import { predicateText } from './predicate-text.ts'
import type { Criteria } from './search-document.ts'
import type { Sort } from './sort.ts'
import { addConditions, allOf, joinQuery, type QueryText, splitQuery } from './split-query.ts'

const sortedColumn = /\bSORTED_COLUMN\b/g

interface Building {
  readonly session: Session
  readonly provider: PageProvider
  readonly criteria: Criteria
  readonly filler: PatternFiller
  readonly sort: readonly Sort[]
  /** Of the active quick filters. */
  readonly clauses: readonly string[]
}

/**
 * The NXQL that a provider makes of a request.
 * @throws tooManyParameters, unsortableColumn, unsupportedOperator
 */
export function providerQuery(session: Session, provider: PageProvider, request: ProviderRequest, criteria: Criteria): string {
  const zone = session.repository.searchRules.query.timeZone
  const { parameters = [] } = request
  const forgiving = provider.takesTypedWords === undefined ? undefined : forgivingOf[provider.takesTypedWords]
  const isEmpty = isEmptyTerm(parameters)
  const filler = createPatternFiller({
    ordered: isEmpty ? [] : forgiving === undefined ? parameters : parameters.map((value) => forgiven(value, forgiving)),
    spare: [...spareParameters(session, provider, request), ...(isEmpty ? [''] : [])],
    findNamed(name) {
      const criterion = criteria.find(name)
      return criterion && patternText(criterion, zone)
    },
  })
  const sort = effectiveSort(provider, request)
  const clauses = activeFilters(provider, request).flatMap(({ clause }) => clause ?? [])
  const building: Building = { session, provider, criteria, filler, sort, clauses }
  const text = provider.whereClause === undefined ? ofPattern(building) : ofWhereClause(building, provider.whereClause)
  filler.finish()
  return text
}

const forgivingOf = { whole: forgivingFulltext, begun: forgivingBeginning } as const

function forgiven(value: PropertyValue, forgiving: (typed: string) => string): PropertyValue {
  if (Array.isArray(value)) return value.map((item) => forgiven(item, forgiving))
  return typeof value === 'string' ? forgiving(value) : value
}

function ofPattern({ provider, filler, sort, clauses }: Building): string {
  const style = styleOf(provider)
  const filled = filler.fill(withSortedColumn(provider.pattern ?? allDocuments, sort), style)
  const narrowed = addConditions(
    filled,
    clauses.map((clause) => filler.fill(clause, style)),
  )
  return sortedBy(narrowed, sort)
}

/** The query in this order instead of its own. */
function sortedBy(query: string, sort: readonly Sort[]): string {
  return sort.length === 0 ? query : joinQuery({ ...splitQuery(query), ...orderOf(sort) })
}

function withSortedColumn(text: string, sort: readonly Sort[]): string {
  return text.replace(sortedColumn, firstColumn(sort))
}

/** What a provider asks when no criterion of its where clause is filled in, with the places for parameters as they stand there. */
export function unfilledQuery(provider: PageProvider, filter?: QuickFilter): string {
  const { pattern, whereClause } = provider
  const sort = filter?.sort ?? provider.sort ?? []
  const conditions = [whereClause?.fixedPart, filter?.clause].filter((text) => text !== undefined)
  const query = withSortedColumn((whereClause === undefined ? pattern : whereClause.selectStatement) ?? allDocuments, sort)
  return sortedBy(
    addConditions(
      query,
      conditions.map((text) => withSortedColumn(text, sort)),
    ),
    sort,
  )
}

function ofWhereClause({ session, criteria, filler, sort, clauses }: Building, clause: WhereClause): string {
  const { model, repository } = session
  const facts = { model, rules: repository.searchRules, criteria }
  const predicates = clause.predicates.flatMap((predicate) => predicateText(predicate, facts) ?? [])
  const fixed = fixedPart(clause, filler, sort, clauses)
  const all = fixed === undefined ? predicates : [...predicates, predicates.length === 0 ? fixed : `(${fixed})`]
  return joinQuery({ head: clause.selectStatement ?? allDocuments, ...conditionOf(all), ...orderOf(sort) })
}

function fixedPart(
  { fixedPart: written, ...style }: WhereClause,
  filler: PatternFiller,
  sort: readonly Sort[],
  clauses: readonly string[],
): string | undefined {
  const fixed = written === undefined ? [] : [withSortedColumn(written, sort)]
  const parts = [...fixed, ...clauses].map((part) => filler.fill(part, styleOf(style)))
  return parts.length === 0 ? undefined : allOf(parts)
}

function conditionOf(conditions: readonly string[]): Pick<QueryText, 'condition'> {
  return conditions.length === 0 ? {} : { condition: conditions.join(' AND ') }
}

function orderOf(sort: readonly Sort[]): Pick<QueryText, 'order'> {
  if (sort.length === 0) return {}
  return { order: sort.map(({ column, isAscending }) => (isAscending ? column : `${column} DESC`)).join(', ') }
}

// No condition can ask whether these are there.
const neverAsked: ReadonlySet<string> = new Set(['ecm:path', 'ecm:fulltextScore'])

/** Where nothing is sorted, a column that no document lacks. */
function firstColumn([first]: readonly Sort[]): string {
  return first === undefined || neverAsked.has(first.column) ? 'ecm:uuid' : first.column
}

function styleOf(of: { readonly quotesParameters?: boolean; readonly escapesParameters?: boolean }): FillStyle {
  return { quotes: of.quotesParameters ?? true, escapes: of.escapesParameters ?? true }
}
