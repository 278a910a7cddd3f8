import { Problem } from '../../../base/problem.ts'
import type { Model } from '../../../model/model.ts'
import { utc } from '../../../nxql/time-zone.ts'
import { findAggregateField } from '../aggregates/aggregate-field.ts'
import { planAggregate } from '../aggregates/plan-aggregate.ts'
import { isColumn } from '../query/effective-sort.ts'
import type { Predicate, SearchField } from '../query/predicate.ts'
import { isSupportedOperator } from '../query/predicate-text.ts'
import { findPropertyOf } from '../query/search-document.ts'
import type { PageProvider } from './page-provider.ts'
import { searchDocumentTypeOf } from './prepare-search.ts'
import { isKnownExpression } from './provider-parameters.ts'
import { canBeAsked, findQueryMistake } from './query-trial.ts'

/** What is wrong with a definition, as a reason that follows its name; undefined when it can be used. */
export function findProviderMistake(provider: PageProvider, model: Model): string | undefined {
  if (provider.name === '') return 'has no name'
  if (provider.pattern !== undefined && provider.whereClause !== undefined) return 'has a pattern and a where clause: keep one'
  const type = searchDocumentTypeOf(provider)
  if (type !== undefined && !model.types.has(type)) return `has the search document type ${type}, which does not exist`
  return (
    findSizeMistake(provider) ??
    findNameMistake(provider) ??
    findPredicateMistake(provider, model) ??
    findQueryMistake(provider, model) ??
    findAggregateMistake(provider, model)
  )
}

/** Of any list that says how long its pages are. */
export function findSizeMistake({
  pageSize = 0,
  maxPageSize = 0,
  maxResults,
}: Pick<PageProvider, 'pageSize' | 'maxPageSize' | 'maxResults'>): string | undefined {
  if (!Number.isSafeInteger(pageSize) || pageSize < 0) return 'has a page size that is no whole number from 0 on'
  if (!Number.isSafeInteger(maxPageSize)) return 'has a largest page size that is no whole number'
  const isNamed = maxResults === 'PAGE_SIZE' || maxResults === 'DEFAULT_NAVIGATION_RESULTS' || maxResults === undefined
  return isNamed || Number.isSafeInteger(maxResults) ? undefined : `has maxResults ${maxResults}, which is no number`
}

function findNameMistake({ sort = [], quickFilters = [], aggregates = [], parameters = [] }: PageProvider): string | undefined {
  const column = [...sort, ...quickFilters.flatMap((filter) => filter.sort ?? [])].find((one) => !isColumn(one.column))
  if (column !== undefined) return `sorts by ${column.column}, which is no column`
  const filter = firstRepeated(quickFilters.map(({ name }) => name))
  if (filter !== undefined) return `has the quick filter ${filter} twice`
  const aggregate = firstRepeated(aggregates.map(({ id }) => id))
  if (aggregate !== undefined) return `has the aggregate ${aggregate} twice`
  const expression = parameters.find((text) => !isKnownExpression(text))
  return expression === undefined ? undefined : `has the parameter ${expression}, which means nothing`
}

function findPredicateMistake(provider: PageProvider, model: Model): string | undefined {
  for (const predicate of provider.whereClause?.predicates ?? []) {
    const reason =
      reasonAgainst(predicate) ?? missingProperty(predicate, model) ?? missingField(provider, predicate.fields, model)
    if (reason !== undefined) return `has a predicate on ${predicate.property} ${reason}`
  }
  return undefined
}

function reasonAgainst({ kind = 'atomic', operator = '', operatorField, fields }: Predicate): string | undefined {
  if (kind === 'subClause') return fields.length === 0 ? 'without a field' : undefined
  const isKnown = isSupportedOperator(operator) || (operator === '' && operatorField !== undefined)
  if (!isKnown) return `with the unsupported operator ${operator}`
  return fields.length === 0 && !/EMPTY$/i.test(operator) ? 'without a field' : undefined
}

/** A full-text index needs no property, and a sub-clause is asked of none. */
function missingProperty({ kind = 'atomic', operator = '', property }: Predicate, model: Model): string | undefined {
  if (kind === 'subClause' || /^FULLTEXT/i.test(operator.trim()) || property.startsWith('ecm:fulltext')) return undefined
  return canBeAsked(property, model) ? undefined : 'that asks for an unknown property'
}

function findAggregateMistake(provider: PageProvider, model: Model): string | undefined {
  for (const [place, definition] of (provider.aggregates ?? []).entries()) {
    const { id, field, searchField } = definition
    if (!field.startsWith('ecm:') && findAggregateField(model, field) === undefined) {
      return `has the aggregate ${id} of ${field}, which does not exist`
    }
    const missing = searchField && missingField(provider, [searchField], model)
    if (missing !== undefined) return `has the aggregate ${id} ${missing}`
    try {
      planAggregate(definition, place, { model, now: '2000-01-01T00:00:00.000Z', zone: utc })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return `has the aggregate ${id}: ${error.message}`
    }
  }
  return undefined
}

function missingField(provider: PageProvider, fields: readonly SearchField[], model: Model): string | undefined {
  const type = searchDocumentTypeOf(provider)
  const shape = type === undefined ? undefined : model.shapeOf({ type })
  for (const field of fields) {
    if (!('schema' in field)) continue
    const name = `${field.schema}:${field.name}`
    const isThere = shape !== undefined && findPropertyOf(shape, name) !== undefined
    if (!isThere) return `that asks for ${name}, which the search document has not`
  }
  return undefined
}

function firstRepeated(names: readonly string[]): string | undefined {
  return names.find((name, index) => names.indexOf(name) !== index)
}
