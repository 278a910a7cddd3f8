import type { PageProvider } from '../../core/search/providers/page-provider.ts'
import { type DocumentTypeAddition, defineDocumentType, defineFacet } from '../../model/document-type.ts'
import { alike, clob, date, list, long, string } from '../../model/field.ts'
import type { Lifecycle } from '../../model/lifecycle.ts'
import type { Permission } from '../../model/rights/permission.ts'
import { defineSchema } from '../../model/schema.ts'

export const commentSchemas = [
  defineSchema('comment', {
    prefix: 'comment',
    fields: {
      author: string(),
      text: clob(),
      ...alike(date(), 'creationDate', 'modificationDate'),
      parentId: string({ hasWords: false }),
      ancestorIds: list(string(), { indexed: true, hasWords: false }),
    },
    html: [{ field: 'text' }],
  }),
  defineSchema('externalEntity', {
    prefix: 'externalEntity',
    fields: { entityId: string({ indexed: 'sparse', hasWords: false }), origin: string(), entity: clob() },
  }),
  defineSchema('info_comments', { prefix: 'infocom', fields: { numberOfComments: long({ default: 0 }) } }),
]

export const commentFacets = [
  defineFacet('Commentable'),
  defineFacet('CommentsInfoHolder', ['info_comments']),
  defineFacet('ExternalEntity', ['externalEntity']),
]

export const commentTypes = [
  defineDocumentType('Comment', {
    extends: 'Document',
    schemas: ['comment', 'common', 'dublincore'],
    facets: ['HiddenInNavigation'],
    lifecycle: 'comment_moderation',
  }),
  // Has the rights of the document that it is below, and no others: comments are written by the server (contract: adapters 5.4).
  defineDocumentType('CommentRoot', {
    extends: 'Folder',
    isSpecial: true,
    facets: ['HiddenInNavigation', 'HiddenInCreation'],
    subtypes: ['Folder', 'HiddenFolder'],
    lifecycle: 'default',
  }),
  defineDocumentType('CommentRelation', { extends: 'Relation', facets: ['HiddenInNavigation'] }),
]

export const commentAdditions: readonly DocumentTypeAddition[] = [
  ...['File', 'Note'].map((type) => ({ type, facets: ['Commentable'], before: 'HasRelatedText' })),
  { type: 'Domain', subtypes: ['CommentRoot'] },
]

export const commentModeration: Lifecycle = {
  name: 'comment_moderation',
  initial: 'moderation_pending',
  states: {
    moderation_pending: ['moderation_publish', 'moderation_reject'],
    moderation_published: [],
    moderation_rejected: [],
  },
  transitions: { moderation_publish: 'moderation_published', moderation_reject: 'moderation_rejected' },
}

export const commentPermissions: readonly Permission[] = [
  { name: 'Moderate', includes: [] },
  { name: 'Comment', includes: ['WriteLifeCycle'] },
]

/** All comments, or annotations, of which the condition holds: a thread has no pages. */
export function commentsProvider(name: string, type: 'Comment' | 'Annotation', condition: string): PageProvider {
  return { name, pattern: `SELECT * FROM ${type} WHERE ${condition}`, maxPageSize: 0 }
}

export const ofExternalEntity = 'externalEntity:entityId = ?'

export const commentProviders: readonly PageProvider[] = [
  commentsProvider('GET_COMMENTS_FOR_DOCUMENT', 'Comment', 'comment:parentId = ?'),
  commentsProvider('GET_COMMENTS_FOR_DOCUMENT_BY_ECM_PARENT', 'Comment', 'ecm:parentId = ?'),
  commentsProvider('GET_COMMENTS_FOR_DOCUMENTS_BY_COMMENT_ANCESTOR', 'Comment', 'comment:ancestorIds = ?'),
  commentsProvider('GET_COMMENT_AS_EXTERNAL_ENTITY', 'Comment', ofExternalEntity),
  commentsProvider('GET_EXTERNAL_COMMENT_BY_COMMENT_ANCESTOR', 'Comment', `comment:ancestorIds = ? AND ${ofExternalEntity}`),
  commentsProvider('GET_EXTERNAL_COMMENT_BY_ECM_ANCESTOR', 'Comment', `ecm:ancestorId = ? AND ${ofExternalEntity}`),
]
