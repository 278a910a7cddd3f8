import { type DocumentTypeAddition, defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { list, string } from '../../model/field.ts'
import type { Permission, VisiblePermission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'
import { beforeAndAfter } from '../../model/versioning.ts'

/** As many as the properties of a document have room for. */
export const maxMembers = 40_000

export const membersProperty = 'collection:documentIds'
export const membershipsProperty = 'collectionMember:collectionIds'

export const collectionSchemas = [
  defineSchema('collection', {
    prefix: 'collection',
    fields: { documentIds: list(string(), { hasWords: false, maxItems: maxMembers, isMutual: true }) },
  }),
  // What is a favorite of everybody is in as many collections as there are users.
  defineSchema('collectionMember', {
    prefix: 'collectionMember',
    fields: { collectionIds: list(string(), { indexed: true, hasWords: false, maxItems: maxMembers, isMutual: true }) },
    writableOnVersions: true,
    staysBehind: true,
  }),
]

export const collectionFacet = 'Collection'
export const memberFacet = 'CollectionMember'
export const notCollectableFacet = 'NotCollectionMember'

export const collectionFacets = [
  defineFacet(collectionFacet, ['collection']),
  defineFacet(memberFacet, ['collectionMember']),
  defineFacet(notCollectableFacet),
]

export const collectionTypes = [
  defineDocumentType('Collection', {
    extends: 'Document',
    schemas: ['uid', 'dublincore', 'common', 'collection', 'facetedTag'],
    facets: ['Versionable', collectionFacet, notCollectableFacet, 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/collection.png',
  }),
  defineDocumentType('Collections', {
    isReserved: true,
    extends: 'Folder',
    facets: ['NotCollectionMember'],
    subtypes: ['Collection'],
    lifecycle: 'default',
    icon: '/icons/collections.png',
  }),
]

/** Where collections are offered, first of all; and what is none of the documents that users collect. */
export const collectionAdditions: readonly DocumentTypeAddition[] = [
  { type: 'Folder', subtypes: ['Collection'], before: 'Folder' },
  { type: 'Workspace', subtypes: ['Collection'], before: 'Workspace' },
  ...['Root', 'Domain', 'WorkspaceRoot', 'TemplateRoot', 'SectionRoot'].map((type) => ({
    type,
    facets: ['NotCollectionMember'],
  })),
]

export const readCanCollect: Permission = { name: 'ReadCanCollect', includes: ['Read', 'WriteProperties'] }
export const offeredOnCollections: VisiblePermission = { name: readCanCollect.name, order: 20, types: ['Collection'] }

export const noVersionForMembership = beforeAndAfter('no-versioning-for-collection', {
  order: 2,
  increment: 'none',
  changes: [membersProperty, membershipsProperty],
})
