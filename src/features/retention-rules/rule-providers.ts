import { type AggregateDefinition, termsOf } from '../../core/search/aggregates/aggregate-definition.ts'
import { allOf, documentsWhere, notProxy, notTrashed, notVersion, visible } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { criterion } from '../../core/search/query/predicate.ts'
import { ascending } from '../../core/search/query/sort.ts'

const schema = 'retention_search'

const inForce = ["ecm:mixinType = 'RetentionRule'", 'retention_rule:enabled = 1', notTrashed, notVersion, notProxy]

function dates(id: string, field: string, dateRanges: NonNullable<AggregateDefinition['dateRanges']>): AggregateDefinition {
  return {
    id,
    type: 'date_range',
    field,
    searchField: { schema, name: id },
    properties: { format: '"dd-MM-yyyy"' },
    dateRanges,
  }
}

export const ruleProviders: readonly PageProvider[] = [
  {
    name: 'manual_retention_rule_suggestion',
    whereClause: {
      fixedPart: allOf("dc:title ILIKE '?%'", ...inForce),
      quotesParameters: false,
      predicates: [{ property: 'retention_rule:docTypes', operator: '=', fields: [{ name: 'docType' }] }],
    },
    sort: [ascending('ecm:pos')],
    pageSize: 50,
  },
  {
    name: 'active_retention_rule',
    pattern: documentsWhere(...inForce),
    sort: [ascending('ecm:pos')],
    pageSize: 50,
  },
  {
    name: 'retention_search',
    whereClause: {
      documentType: 'RetentionSearch',
      fixedPart: allOf('file:content/name IS NOT NULL', visible),
      predicates: [
        criterion(schema, 'ecm:fulltext', 'FULLTEXT', 'ecm_fulltext'),
        criterion(schema, 'dc:creator', 'IN', 'dc_creator'),
      ],
    },
    aggregates: [
      termsOf(schema, 'doc_type_agg', 'ecm:primaryType'),
      termsOf(schema, 'rules_agg', 'record:ruleIds'),
      dates('record_retain_agg', 'record:retainUntil', [
        { key: 'last24h', from: 'now-24H', to: 'now' },
        { key: 'lastWeek', from: 'now-7d', to: 'now-24H' },
        { key: 'lastMonth', from: 'now-1M', to: 'now-7d' },
        { key: 'lastYear', from: 'now-1y', to: 'now-1M' },
        { key: 'priorToLastYear', to: 'now-1y' },
      ]),
      dates('ecm_retain_agg', 'ecm:retainUntil', [
        { key: 'next24Hours', from: 'now', to: 'now+24H' },
        { key: 'beforeAWeek', from: 'now+24H', to: 'now+7d' },
        { key: 'beforeAMonth', from: 'now+7d', to: 'now+1M' },
        { key: 'beforeAYear', from: 'now+1M', to: 'now+1y' },
        { key: 'afterAYear', from: 'now+1y', to: 'now+1000y' },
        { key: 'indeterminate', from: 'now+1000y' },
      ]),
    ],
    sort: [ascending('ecm:retainUntil')],
    quickFilters: [
      { name: 'withoutRule', clause: 'record:ruleIds/* IS NULL AND ecm:retainUntil IS NULL' },
      { name: 'withRule', clause: 'record:ruleIds/* IS NOT NULL AND ecm:retainUntil IS NOT NULL' },
      { name: 'hasLegalHold', clause: 'ecm:hasLegalHold = 1' },
      { name: 'hasNotLegalHold', clause: 'ecm:hasLegalHold = 0' },
      { name: 'exceptTrashed', clause: notTrashed },
    ],
    pageSize: 20,
  },
]
