import { Type } from '../../rest/openapi/schema.ts'
import { idleMaxResults, maxResultsParameter as maxResults, searchPaging } from '../../rest/request/paging.ts'

/** What every search reads. */
const ofEverySearch = {
  ...searchPaging,
  queryParams: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Fills a `?`; repeated for several, in their order. `$currentUser` and `$currentRepository` are replaced',
    }),
  ),
  quickFilters: Type.Names({ description: 'Names of quick filters to switch on' }),
  highlight: Type.Names({ description: 'Fields to mark matches in; shown by the enricher `highlight`' }),
  named: Type.Everything({ description: 'Parameters that the query or provider has a name for' }),
}

const query = Type.Text({
  description: 'NXQL; all documents unless told',
  examples: ['SELECT * FROM Document WHERE ecm:isVersion = 0 AND ecm:isTrashed = 0'],
})

/** Of a query, and of the older address of a provider, where a query may stand in for its definition. */
export const nxqlParameters = Type.Object({ query, maxResults, ...ofEverySearch })

export const providerParameters = Type.Object({ maxResults: idleMaxResults, ...ofEverySearch })

export const savedSearchParameters = Type.Object({ maxResults, ...ofEverySearch })
