import { documentsWhere, notProxy, notTrashed, notVersion } from '../../core/search/providers/conditions.ts'
import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { byTitle } from '../../core/search/query/sort.ts'
import { defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, clob, complex, list, long, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const savedSearchSchema = defineSchema('saved_search', {
  prefix: 'saved',
  fields: {
    queryParams: string(),
    namedParams: list(complex({ key: string(), value: string() })),
    ...alike(string(), 'query', 'queryLanguage', 'providerName'),
    ...alike(long(), 'pageSize', 'currentPageIndex', 'currentPageOffset', 'maxResults'),
    ...alike(string(), 'sortBy', 'sortOrder'),
    contentViewData: clob(),
  },
})

export const savedSearchFacet = defineFacet('SavedSearch', ['common', 'dublincore', 'uid', 'saved_search'])

export const savedSearchType = defineDocumentType('SavedSearch', {
  extends: 'Document',
  schemas: ['common', 'dublincore', 'uid', 'saved_search'],
  facets: ['SavedSearch', 'HiddenInNavigation'],
})

const runnable = '((saved:query IS NOT NULL AND saved:queryLanguage IS NOT NULL) OR saved:providerName IS NOT NULL)'
const savedSearches = ["ecm:mixinType = 'SavedSearch'", runnable, notProxy, notVersion, notTrashed]

export const savedSearchProviders: readonly PageProvider[] = [
  { name: 'SAVED_SEARCHES_ALL', pattern: documentsWhere(...savedSearches), sort: byTitle, pageSize: 50 },
  {
    name: 'SAVED_SEARCHES_ALL_PAGE_PROVIDER',
    pattern: documentsWhere(...savedSearches, 'saved:providerName = :pageProvider'),
    sort: byTitle,
    pageSize: 50,
  },
]
