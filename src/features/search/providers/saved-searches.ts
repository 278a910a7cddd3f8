import { documentsWhere, notProxy, notTrashed, notVersion } from '../../../core/search/conditions.ts'
import type { PageProvider } from '../../../core/search/page-provider.ts'
import { byTitle } from '../../../core/search/sort.ts'

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
