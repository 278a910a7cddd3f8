import { definePlugin } from '../../plugin/define-plugin.ts'
import {
  collectionAdditions,
  collectionFacets,
  collectionSchemas,
  collectionTypes,
  noVersionForMembership,
  offeredOnCollections,
  readCanCollect,
} from './collection-model.ts'
import { collectionProviders } from './collection-providers.ts'
import { collectionsEnricher } from './collections-enricher.ts'

export { memberOfGiven } from './collection-providers.ts'
export { collectionIds } from './collections-enricher.ts'

/** Documents that users gather, wherever these are. */
export default definePlugin({
  name: 'collections',
  requires: ['content-model', 'tags', 'publishing'],
  schemas: collectionSchemas,
  facets: collectionFacets,
  documentTypes: collectionTypes,
  documentTypeAdditions: collectionAdditions,
  permissions: [readCanCollect],
  visiblePermissions: [offeredOnCollections],
  versioningPolicies: noVersionForMembership,
  pageProviders: collectionProviders,
  enrichers: [collectionsEnricher],
})
