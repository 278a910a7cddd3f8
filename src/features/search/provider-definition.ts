import type { AggregateDefinition } from '../../core/search/aggregates/aggregate-definition.ts'
import type { PageProvider, QuickFilter, WhereClause } from '../../core/search/page-provider.ts'
import type { Predicate, SearchField } from '../../core/search/predicate.ts'
import type { Sort } from '../../core/search/sort.ts'
import type { Entity } from '../../rest/render/document-entity.ts'
import type { EntityProvider } from '../../rest/services.ts'

/** A page provider as clients read it, before they offer its filters and aggregates. */
export function writeProviderDefinition(definition: PageProvider | EntityProvider): Entity {
  const provider = definition.kind === 'entities' ? withoutQuery(definition) : definition
  return {
    name: provider.name,
    enabled: provider.enabled ?? true,
    properties: writeProperties(provider),
    queryParameters: provider.parameters ?? [],
    pattern: provider.pattern === undefined ? null : inOneLine(provider.pattern),
    quotePatternParameters: provider.quotesParameters ?? true,
    escapePatternParameters: provider.escapesParameters ?? true,
    searchDocumentType: provider.searchDocumentType ?? provider.whereClause?.documentType ?? null,
    whereClause: provider.whereClause === undefined ? null : writeWhereClause(provider.whereClause),
    quickFilters: (provider.quickFilters ?? []).map(writeQuickFilter),
    aggregates: (provider.aggregates ?? []).map(writeAggregate),
    sortable: provider.isSortable ?? true,
    sortInfos: writeSorts(provider.sort),
    sortInfosBinding: provider.sortInfosBinding ?? null,
    pageSize: provider.pageSize ?? 0,
    pageSizeBinding: provider.pageSizeBinding ?? null,
    pageSizeOptions: pageSizeOptions(provider),
    maxPageSize: provider.maxPageSize ?? null,
    usageTrackingEnabled: provider.isTracked ?? false,
  }
}

/** One that lists entities has pages and an order like any other. */
function withoutQuery({ kind: _kind, list: _list, ...pages }: EntityProvider): PageProvider {
  return pages
}

function writeProperties({ maxResults, isUnrestricted, properties }: PageProvider): Entity {
  return {
    ...properties,
    ...(maxResults !== undefined && { maxResults: String(maxResults) }),
    ...(isUnrestricted && { useUnrestrictedSession: 'true' }),
  }
}

function inOneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ')
}

function writeWhereClause(clause: WhereClause): Entity {
  return {
    docType: clause.documentType ?? null,
    fixedPart: clause.fixedPart === undefined ? null : inOneLine(clause.fixedPart),
    selectStatement: clause.selectStatement ?? null,
    quoteFixedPartParameters: clause.quotesParameters ?? true,
    escapeFixedPartParameters: clause.escapesParameters ?? true,
    escaperClass: null,
    predicates: clause.predicates.map(writePredicate),
  }
}

function writePredicate(predicate: Predicate): Entity {
  const { name: operatorField, schema: operatorSchema } = writeField(predicate.operatorField)
  return {
    parameter: predicate.property,
    type: predicate.kind ?? 'atomic',
    operator: predicate.operator?.toUpperCase() ?? null,
    operatorField,
    operatorSchema,
    hint: predicate.hint ?? null,
    values: predicate.fields.map(writeField),
  }
}

interface WrittenField {
  readonly name: string | null
  readonly schema: string | null
  readonly xpath: string | null
}

function writeField(field: SearchField | undefined): WrittenField {
  return { name: null, schema: null, xpath: null, ...field }
}

function writeQuickFilter({ name, clause = '', sort }: QuickFilter): Entity {
  return { name, clause, sortInfos: writeSorts(sort) }
}

function writeSorts(sort: readonly Sort[] = []): readonly Entity[] {
  return sort.map(({ column, isAscending }) => ({ sortColumn: column, sortAscending: isAscending }))
}

function writeAggregate({ id, type, field, searchField, properties, ranges, dateRanges }: AggregateDefinition): Entity {
  return {
    id,
    type,
    documentField: field,
    searchField: writeField(searchField ?? { name: id }),
    properties: properties ?? {},
    ranges: (ranges ?? []).map(({ key, from = null, to = null }) => ({ key, from, to })),
    dateRanges: (dateRanges ?? []).map(({ key, from = null, to = null }) => ({ key, fromAsString: from, toAsString: to })),
    aggregateRangeDefinitionOrderMap: orderOf(ranges),
    aggregateDateRangeDefinitionOrderMap: orderOf(dateRanges),
  }
}

/** Where each of them stands, by its key. */
function orderOf(keyed: readonly { readonly key: string }[] = []): Entity {
  return Object.fromEntries(keyed.map(({ key }, index) => [key, index]))
}

const usualPageSizes = [5, 10, 20, 30, 40, 50]

function pageSizeOptions({ pageSizeOptions: offered = usualPageSizes, pageSize = 0 }: PageProvider): readonly number[] {
  const sizes = new Set(pageSize > 0 ? [...offered, pageSize] : offered)
  return [...sizes].sort((left, right) => left - right)
}
