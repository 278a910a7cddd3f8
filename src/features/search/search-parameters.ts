import { Type } from '../../rest/openapi/schema.ts'
import { maxResultsParameter, searchPaging } from '../../rest/request/paging.ts'

/** Parameters of every search. Any other one is a named parameter of the query or provider. */
const paging = {
  ...searchPaging,
  queryParams: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Fills a `?`; repeated for several, in their order. `$currentUser` and `$currentRepository` are replaced',
    }),
  ),
}

const maxResults = maxResultsParameter
const query = Type.Optional(
  Type.String({
    description: 'NXQL; all documents unless told',
    examples: ['SELECT * FROM Document WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0'],
  }),
)
const quickFilters = Type.Names({ description: 'Names of quick filters to switch on' })

export const nxqlParameters = Type.Object({ query, maxResults, ...paging })

export const providerParameters = Type.Object({
  ...paging,
  quickFilters,
  highlight: Type.Names({ description: 'Fields to mark matches in; shown by the enricher `highlight`' }),
})

/** Of the older address of a provider, where a query may stand in for its definition. */
export const queryParameters = Type.Object({ query, maxResults, ...paging, quickFilters })

export const savedSearchParameters = Type.Object({ maxResults, ...paging, quickFilters })
