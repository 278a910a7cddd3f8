import { Type } from '../../rest/openapi/schema.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Parameters of every search, for the documentation. Any other one is a named parameter of the query or provider. */
const paging = {
  pageSize: text('Entries a page; that of the provider unless told. 0: one page, as long as is allowed'),
  currentPageIndex: text('Page, counted from 0'),
  offset: text('First entry, instead of a page. Alias: currentPageOffset'),
  sortBy: text('Columns to sort by, separated by commas, instead of the order of the query or provider'),
  sortOrder: text('`asc` for each column of sortBy that is to ascend; anything else descends'),
  queryParams: text('Fills a `?`; repeated for several, in their order. `$currentUser` and `$currentRepository` are replaced'),
}

const maxResults = text('Counting stops here and resultsCount is then -2; -1: never')
const query = Type.Optional(
  Type.String({
    description: 'NXQL; all documents unless told',
    examples: ['SELECT * FROM Document WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0'],
  }),
)
const quickFilters = text('Names of quick filters to switch on, separated by commas')

export const nxqlParameters = Type.Object({ query, maxResults, ...paging })

export const providerParameters = Type.Object({
  ...paging,
  quickFilters,
  highlight: text('Fields to mark matches in, separated by commas; shown by the enricher `highlight`'),
})

/** Of the older address of a provider, where a query may stand in for its definition. */
export const queryParameters = Type.Object({ query, maxResults, ...paging, quickFilters })

export const savedSearchParameters = Type.Object({ maxResults, ...paging, quickFilters })
