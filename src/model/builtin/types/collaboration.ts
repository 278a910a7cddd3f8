import { defineDocumentType } from '../../document-type.ts'

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
  defineDocumentType('Favorites', {
    extends: 'Document',
    schemas: ['dublincore', 'common', 'collection'],
    facets: ['Collection', 'NotCollectionMember'],
    lifecycle: 'default',
    icon: '/icons/favorites.png',
  }),
]

export const commentTypes = [
  defineDocumentType('Comment', {
    extends: 'Document',
    schemas: ['comment', 'common', 'dublincore'],
    facets: ['HiddenInNavigation'],
    lifecycle: 'comment_moderation',
  }),
  defineDocumentType('Annotation', { extends: 'Comment', schemas: ['annotation'] }),
  defineDocumentType('CommentRoot', {
    extends: 'Folder',
    facets: ['HiddenInNavigation', 'HiddenInCreation'],
    subtypes: ['Folder', 'HiddenFolder'],
    lifecycle: 'default',
  }),
]

export const relationTypes = [
  defineDocumentType('Tag', { extends: 'Document', schemas: ['tag', 'dublincore'], facets: ['HiddenInNavigation'] }),
  ...['Tagging', 'DefaultRelation', 'CommentRelation', 'PublicationRelation'].map((name) =>
    defineDocumentType(name, { extends: 'Relation', facets: ['HiddenInNavigation'] }),
  ),
]

export const collaborationTypes = [...collectionTypes, ...commentTypes, ...relationTypes]
