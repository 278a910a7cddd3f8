import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { definePageProvider } from '../../core/search/providers/page-provider.ts'
import { writeProviderDefinition } from './provider-definition.ts'

describe('the definition of a provider', () => {
  test('with a pattern has these fields in this order', () => {
    const provider = definePageProvider({
      name: 'my_docs',
      pattern: 'SELECT * FROM Document\n      WHERE dc:creator = ?',
      maxResults: 'PAGE_SIZE',
      sort: [{ column: 'dc:title', isAscending: true }],
      pageSize: 20,
    })
    assert.equal(
      JSON.stringify(writeProviderDefinition(provider)),
      '{"name":"my_docs","enabled":true,"properties":{"maxResults":"PAGE_SIZE"},"queryParameters":[],' +
        '"pattern":"SELECT * FROM Document WHERE dc:creator = ?","quotePatternParameters":true,"escapePatternParameters":true,' +
        '"searchDocumentType":null,"whereClause":null,"quickFilters":[],"aggregates":[],"sortable":true,' +
        '"sortInfos":[{"sortColumn":"dc:title","sortAscending":true}],"sortInfosBinding":null,"pageSize":20,' +
        '"pageSizeBinding":null,"pageSizeOptions":[5,10,20,30,40,50],"maxPageSize":null,"usageTrackingEnabled":false}',
    )
  })

  test('with a where clause shows its predicates', () => {
    const definition = writeProviderDefinition({
      name: 'my_search',
      isUnrestricted: true,
      isTracked: true,
      isSortable: false,
      maxPageSize: 0,
      properties: { language: 'NXQL' },
      parameters: ['#{currentUser.name}'],
      whereClause: {
        documentType: 'AdvancedSearch',
        fixedPart: 'ecm:isVersion = 0\n  AND ecm:isTrashed = 0',
        predicates: [
          {
            property: 'dc:title',
            operator: 'fulltext',
            fields: [{ schema: 'advanced_search', name: 'title' }],
            operatorField: { schema: 'advanced_search', name: 'op' },
          },
          { property: '', kind: 'subClause', hint: 'x', fields: [{ xpath: 'a/b' }, { name: 'free' }] },
        ],
      },
    })
    assert.partialDeepStrictEqual(definition, {
      properties: { language: 'NXQL', useUnrestrictedSession: 'true' },
      queryParameters: ['#{currentUser.name}'],
      pattern: null,
      searchDocumentType: 'AdvancedSearch',
      sortable: false,
      pageSize: 0,
      pageSizeOptions: [5, 10, 20, 30, 40, 50],
      maxPageSize: 0,
      usageTrackingEnabled: true,
    })
    assert.deepEqual(definition['whereClause'], {
      docType: 'AdvancedSearch',
      fixedPart: 'ecm:isVersion = 0 AND ecm:isTrashed = 0',
      selectStatement: null,
      quoteFixedPartParameters: true,
      escapeFixedPartParameters: true,
      escaperClass: null,
      predicates: [
        {
          parameter: 'dc:title',
          type: 'atomic',
          operator: 'FULLTEXT',
          operatorField: 'op',
          operatorSchema: 'advanced_search',
          hint: null,
          values: [{ name: 'title', schema: 'advanced_search', xpath: null }],
        },
        {
          parameter: '',
          type: 'subClause',
          operator: null,
          operatorField: null,
          operatorSchema: null,
          hint: 'x',
          values: [
            { name: null, schema: null, xpath: 'a/b' },
            { name: 'free', schema: null, xpath: null },
          ],
        },
      ],
    })
  })

  test('shows quick filters and aggregates, with the order of their ranges', () => {
    const { quickFilters, aggregates } = writeProviderDefinition({
      name: 'p',
      pattern: 'SELECT * FROM Document',
      quickFilters: [{ name: 'recent', sort: [{ column: 'dc:modified', isAscending: false }] }],
      aggregates: [
        {
          id: 'size',
          type: 'range',
          field: 'file:content/length',
          ranges: [
            { key: 'small', to: 5 },
            { key: 'large', from: 5 },
          ],
        },
        {
          id: 'modified',
          type: 'date_range',
          field: 'dc:modified',
          searchField: { schema: 'default_search', name: 'dc_modified_agg' },
          properties: { format: 'dd-MM-yyyy' },
          dateRanges: [{ key: 'new', from: 'now-24H', to: 'now' }],
        },
      ],
    })
    assert.deepEqual(quickFilters, [
      { name: 'recent', clause: '', sortInfos: [{ sortColumn: 'dc:modified', sortAscending: false }] },
    ])
    assert.deepEqual(aggregates, [
      {
        id: 'size',
        type: 'range',
        documentField: 'file:content/length',
        searchField: { name: 'size', schema: null, xpath: null },
        properties: {},
        ranges: [
          { key: 'small', from: null, to: 5 },
          { key: 'large', from: 5, to: null },
        ],
        dateRanges: [],
        aggregateRangeDefinitionOrderMap: { small: 0, large: 1 },
        aggregateDateRangeDefinitionOrderMap: {},
      },
      {
        id: 'modified',
        type: 'date_range',
        documentField: 'dc:modified',
        searchField: { name: 'dc_modified_agg', schema: 'default_search', xpath: null },
        properties: { format: 'dd-MM-yyyy' },
        ranges: [],
        dateRanges: [{ key: 'new', fromAsString: 'now-24H', toAsString: 'now' }],
        aggregateRangeDefinitionOrderMap: {},
        aggregateDateRangeDefinitionOrderMap: { new: 0 },
      },
    ])
  })

  test('offers its own page size among the usual ones', () => {
    const { pageSizeOptions } = writeProviderDefinition({ name: 'p', pageSize: 25 })
    assert.deepEqual(pageSizeOptions, [5, 10, 20, 25, 30, 40, 50])
    assert.deepEqual(writeProviderDefinition({ name: 'p', pageSize: 7, pageSizeOptions: [9] })['pageSizeOptions'], [7, 9])
  })
})
