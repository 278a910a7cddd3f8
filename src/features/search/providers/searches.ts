import { termsOf } from '../../../core/search/aggregates/aggregate-definition.ts'
import {
  allDocuments,
  allOf,
  hasPlace,
  notFolder,
  notTrashed,
  notVersion,
  sorted,
  trashed,
  visible,
} from '../../../core/search/providers/conditions.ts'
import type { PageProvider, QuickFilter } from '../../../core/search/providers/page-provider.ts'
import { criterion } from '../../../core/search/query/predicate.ts'
import { ascending, descending } from '../../../core/search/query/sort.ts'
import { modifiedAggregate, sizeAggregate } from './aggregates.ts'

const schema = 'default_search'

const content = [
  "ecm:primaryType NOT IN ('Domain', 'SectionRoot', 'TemplateRoot', 'WorkspaceRoot', 'Favorites')",
  visible,
  "NOT (ecm:mixinType = 'Collection' AND ecm:name = 'Locally Edited')",
  notVersion,
]

const words = criterion(schema, 'ecm:fulltext', 'FULLTEXT', 'ecm_fulltext')
const below = criterion(schema, 'ecm:path', 'STARTSWITH', 'ecm_path')
const byCreator = termsOf(schema, 'dc_creator_agg', 'dc:creator')

const approved = "ecm:currentLifeCycleState = 'approved'"

const quickFilters: readonly QuickFilter[] = [
  { name: 'noFolder', clause: notFolder },
  { name: 'mostRecent', sort: [descending('dc:modified')] },
  { name: 'onlyValidated', clause: approved, sort: [descending('dc:modified')] },
]

const defaultSearch: PageProvider = {
  name: 'default_search',
  whereClause: {
    documentType: 'DefaultSearch',
    fixedPart: allOf(...content, notTrashed, hasPlace, sorted),
    predicates: [
      words,
      criterion(schema, 'dc:creator', 'IN', 'dc_creator'),
      criterion(schema, 'dc:created', 'BETWEEN', 'dc_created_min', 'dc_created_max'),
      criterion(schema, 'dc:modified', 'BETWEEN', 'dc_modified_min', 'dc_modified_max'),
      criterion(schema, 'dc:nature', 'IN', 'dc_nature'),
      criterion(schema, 'dc:subjects', 'STARTSWITH', 'dc_subjects'),
      criterion(schema, 'dc:coverage', 'STARTSWITH', 'dc_coverage'),
      below,
      criterion(schema, 'ecm:tag', 'IN', 'ecm_tags'),
      criterion(schema, 'collectionMember:collectionIds', 'IN', 'ecm_collections'),
    ],
  },
  pageSize: 20,
  aggregates: [
    termsOf(schema, 'dc_nature_agg', 'dc:nature'),
    termsOf(schema, 'dc_subjects_agg', 'dc:subjects'),
    termsOf(schema, 'dc_coverage_agg', 'dc:coverage'),
    byCreator,
    sizeAggregate(schema),
    modifiedAggregate(schema),
  ],
  quickFilters,
  isTracked: true,
}

const trashSearch: PageProvider = {
  name: 'default_trash_search',
  whereClause: {
    documentType: 'DefaultSearch',
    fixedPart: allOf(...content, trashed, hasPlace, sorted),
    predicates: [words, below],
  },
  pageSize: 20,
  aggregates: [byCreator, sizeAggregate(schema)],
}

const simpleSearch: PageProvider = {
  name: 'simple_search',
  whereClause: {
    documentType: 'DefaultSearch',
    fixedPart: allOf(visible, notVersion, notTrashed, hasPlace, sorted),
    predicates: [words],
  },
  pageSize: 20,
}

/** The whole query is the parameter. */
const wholeQuery = { pattern: '?', quotesParameters: false, escapesParameters: false }

const expired = 'expired_search'

const expiredSearch: PageProvider = {
  name: 'expired_search',
  whereClause: {
    documentType: 'ExpiredSearch',
    fixedPart: allOf(notVersion, visible, notTrashed),
    predicates: [
      criterion(expired, 'dc:title', 'FULLTEXT', 'title'),
      criterion(expired, 'dc:expired', '<', 'expired_max'),
      criterion(expired, 'dc:expired', '>', 'expired_min'),
    ],
  },
  sort: [ascending('dc:expired')],
  pageSize: 20,
  maxResults: 'DEFAULT_NAVIGATION_RESULTS',
  aggregates: [
    termsOf(expired, 'dc_creator_agg', 'dc:creator'),
    {
      id: 'dc_expired_agg',
      type: 'date_histogram',
      field: 'dc:expired',
      searchField: { schema: expired, name: 'dc_expired_agg' },
      properties: { interval: 'month', format: 'MM-yyyy', order: 'key asc' },
    },
  ],
  quickFilters: [{ name: 'approved', clause: approved }],
}

export const searchProviders: readonly PageProvider[] = [
  { name: 'REST_API_SEARCH_ADAPTER', pattern: allDocuments },
  defaultSearch,
  trashSearch,
  simpleSearch,
  expiredSearch,
  { name: 'nxql_search', ...wholeQuery, searchDocumentType: 'DefaultSearch', pageSize: 20 },
  { name: 'spreadsheet_query', ...wholeQuery, pageSize: 1000, maxResults: 1000 },
]
