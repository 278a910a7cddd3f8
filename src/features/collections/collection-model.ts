import { type DocumentTypeAddition, defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { list, string } from '../../model/field.ts'
import type { Permission, VisiblePermission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'
import { beforeAndAfter } from '../../model/versioning.ts'

export const collectionSchemas = [
  defineSchema('collection', { prefix: 'collection', fields: { documentIds: list(string()) } }),
  defineSchema('collectionMember', {
    prefix: 'collectionMember',
    fields: { collectionIds: list(string(), { indexed: true }) },
    writableOnVersions: true,
  }),
]

export const collectionFacets = [
  defineFacet('Collection', ['collection']),
  defineFacet('CollectionMember', ['collectionMember']),
  defineFacet('NotCollectionMember'),
]

export const collectionTypes = [
  defineDocumentType('Collection', {
    extends: 'Document',
    schemas: ['uid', 'dublincore', 'common', 'collection', 'facetedTag'],
    facets: ['Versionable', 'Collection', 'NotCollectionMember', 'NXTag'],
    lifecycle: 'default',
    icon: '/icons/collection.png',
  }),
  defineDocumentType('Collections', {
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
  changes: ['collection:documentIds', 'collectionMember:collectionIds'],
})
