import type { AggregateDefinition } from '../../core/search/aggregates/aggregate-definition.ts'
import type { PageProvider, QuickFilter, WhereClause } from '../../core/search/providers/page-provider.ts'
import { inOneLine } from '../../core/search/providers/page-providers.ts'
import type { Predicate, SearchField } from '../../core/search/query/predicate.ts'
import type { Sort } from '../../core/search/query/sort.ts'
import { type Static, Type } from '../../rest/openapi/schema.ts'
import type { EntityProvider } from '../../rest/services.ts'

const nullableText = Type.Nullable(Type.String())
const sortSchema = Type.Object({ sortColumn: Type.String(), sortAscending: Type.Boolean() })
const searchFieldSchema = Type.Object({ name: nullableText, schema: nullableText, xpath: nullableText })

const predicateSchema = Type.Object({
  parameter: Type.String(),
  type: Type.Enum(['atomic', 'subClause']),
  operator: nullableText,
  operatorField: nullableText,
  operatorSchema: nullableText,
  hint: nullableText,
  values: Type.Array(searchFieldSchema),
})

const whereClauseSchema = Type.Object({
  docType: nullableText,
  fixedPart: nullableText,
  selectStatement: nullableText,
  quoteFixedPartParameters: Type.Boolean(),
  escapeFixedPartParameters: Type.Boolean(),
  escaperClass: Type.Null(),
  predicates: Type.Array(predicateSchema),
})

const quickFilterSchema = Type.Object({ name: Type.String(), clause: Type.String(), sortInfos: Type.Array(sortSchema) })

const aggregateSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  documentField: Type.String(),
  searchField: searchFieldSchema,
  properties: Type.Record(Type.String()),
  ranges: Type.Array(Type.Object({ key: Type.String(), from: Type.Nullable(Type.Number()), to: Type.Nullable(Type.Number()) })),
  dateRanges: Type.Array(Type.Object({ key: Type.String(), fromAsString: nullableText, toAsString: nullableText })),
  aggregateRangeDefinitionOrderMap: Type.Record(Type.Integer()),
  aggregateDateRangeDefinitionOrderMap: Type.Record(Type.Integer()),
})

/** A page provider as clients read it, before they offer its filters and aggregates. */
export const providerDefinitionSchema = Type.Object(
  {
    name: Type.String(),
    enabled: Type.Boolean(),
    properties: Type.Record(Type.String()),
    queryParameters: Type.Array(Type.String()),
    pattern: nullableText,
    quotePatternParameters: Type.Boolean(),
    escapePatternParameters: Type.Boolean(),
    searchDocumentType: nullableText,
    whereClause: Type.Nullable(whereClauseSchema),
    quickFilters: Type.Array(quickFilterSchema),
    aggregates: Type.Array(aggregateSchema),
    sortable: Type.Boolean(),
    sortInfos: Type.Array(sortSchema),
    sortInfosBinding: nullableText,
    pageSize: Type.Integer(),
    pageSizeBinding: nullableText,
    pageSizeOptions: Type.Array(Type.Integer()),
    maxPageSize: Type.Nullable(Type.Integer()),
    usageTrackingEnabled: Type.Boolean(),
  },
  { $id: 'PageProviderDefinition' },
)

type ProviderDefinition = Static<typeof providerDefinitionSchema>

export function writeProviderDefinition(definition: PageProvider | EntityProvider): ProviderDefinition {
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

function writeProperties({ maxResults, isUnrestricted, properties }: PageProvider): ProviderDefinition['properties'] {
  return {
    ...properties,
    ...(maxResults !== undefined && { maxResults: String(maxResults) }),
    ...(isUnrestricted && { useUnrestrictedSession: 'true' }),
  }
}

function writeWhereClause(clause: WhereClause): Static<typeof whereClauseSchema> {
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

function writePredicate(predicate: Predicate): Static<typeof predicateSchema> {
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

function writeField(field: SearchField | undefined): Static<typeof searchFieldSchema> {
  return { name: null, schema: null, xpath: null, ...field }
}

function writeQuickFilter({ name, clause = '', sort }: QuickFilter): Static<typeof quickFilterSchema> {
  return { name, clause, sortInfos: writeSorts(sort) }
}

function writeSorts(sort: readonly Sort[] = []): ProviderDefinition['sortInfos'] {
  return sort.map(({ column, isAscending }) => ({ sortColumn: column, sortAscending: isAscending }))
}

function writeAggregate({
  id,
  type,
  field,
  searchField,
  properties,
  ranges,
  dateRanges,
}: AggregateDefinition): Static<typeof aggregateSchema> {
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
function orderOf(keyed: readonly { readonly key: string }[] = []): { readonly [key: string]: number } {
  return Object.fromEntries(keyed.map(({ key }, index) => [key, index]))
}

const usualPageSizes = [5, 10, 20, 30, 40, 50]

function pageSizeOptions({ pageSizeOptions: offered = usualPageSizes, pageSize = 0 }: PageProvider): readonly number[] {
  const sizes = new Set(pageSize > 0 ? [...offered, pageSize] : offered)
  return [...sizes].sort((left, right) => left - right)
}
