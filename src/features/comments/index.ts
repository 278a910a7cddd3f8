import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { commentAdapter } from './comment-adapter.ts'
import { commentEvents, tellRemovedComments } from './comment-events.ts'
import {
  commentAdditions,
  commentFacets,
  commentModeration,
  commentPermissions,
  commentProviders,
  commentSchemas,
  commentTypes,
} from './comment-model.ts'
import { commentPolicy, keepComments, settleComments } from './comment-rights.ts'
import { moderateComment, moderationChains } from './moderation.ts'
import { removeVersionComments, versionComments, versionCommentsJob } from './version-comments.ts'

export { commentPaging, windowOf } from './comment-adapter.ts'
export { commentsSchema, commentText, draftOf, sentFields, sharedFields, textOf, writeComments } from './comment-entity.ts'
export { additionOf, type CommentKind, changeOf, commentHeaders, placesOf } from './comment-kind.ts'
export { commentsProvider, ofExternalEntity } from './comment-model.ts'
export { findCommentRoot, findTopLevel } from './comment-place.ts'
export { isFirstComment, type PlacedComment, readComment, readExternalComment } from './comments.ts'

/** What users say about documents, and about comments of others. */
export default definePlugin({
  name: 'comments',
  requires: ['content-model', 'relations'],
  schemas: commentSchemas,
  facets: commentFacets,
  documentTypes: commentTypes,
  documentTypeAdditions: commentAdditions,
  lifecycles: [commentModeration],
  permissions: commentPermissions,
  securityPolicies: [commentPolicy],
  pageProviders: commentProviders,
  // The last of them is a row of the audit log too, whoever announces it.
  events: [...commentEvents, ...eventsOf('after', 'comments_moderation')],
  listeners: [keepComments, settleComments, tellRemovedComments, versionComments, removeVersionComments],
  jobs: [versionCommentsJob],
  operations: [moderateComment],
  chains: moderationChains,
  adapters: [commentAdapter],
})
