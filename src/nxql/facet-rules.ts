import { immutableFacet } from '../model/versioning.ts'

/** Facets that a query sees only where the type has them: given to a single document, they do not make it match. */
export const typeOnlyFacets: ReadonlySet<string> = new Set([
  'Folderish',
  'HiddenInNavigation',
  'HiddenInCreation',
  'Collection',
  'NotCollectionMember',
  'Picture',
  'Task',
  'SavedSearch',
  'RetentionRule',
  'DocumentRoute',
  'RoutingTask',
])

/** Facets that no query sees, because no document is stored with them. */
export const unseenFacets: ReadonlySet<string> = new Set([immutableFacet])
