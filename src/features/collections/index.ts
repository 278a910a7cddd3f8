import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { collectionListeners, leaveWithVersions } from './collection-listeners.ts'
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
import { followCollections } from './follow-collections.ts'
import { guardMembership } from './guard-membership.ts'
import { collectionOperations } from './operations.ts'

export { memberOfGiven } from './collection-providers.ts'
export { addMembers, collectionIds, membersOf, removeMembers } from './membership.ts'
export { changeMembers, listMembers } from './operations.ts'
export { findPlace, getOrCreatePlace, ownCollections, type PersonalPlace } from './personal-place.ts'

/** Documents that users gather, wherever these are. */
export default definePlugin({
  name: 'collections',
  requires: ['content-model', 'directories', 'user-workspaces', 'search', 'tags', 'publishing'],
  schemas: collectionSchemas,
  facets: collectionFacets,
  documentTypes: collectionTypes,
  documentTypeAdditions: collectionAdditions,
  permissions: [readCanCollect],
  visiblePermissions: [offeredOnCollections],
  versioningPolicies: noVersionForMembership,
  pageProviders: collectionProviders,
  enrichers: [collectionsEnricher],
  events: [
    ...eventsOf('before', 'beforeAddedToCollection beforeRemovedFromCollection'),
    ...eventsOf('after', 'addedToCollection removedFromCollection'),
  ],
  listeners: [guardMembership, ...collectionListeners],
  serverListeners: [leaveWithVersions],
  jobs: [followCollections],
  operations: collectionOperations,
})
