import { definePlugin } from '../../plugin/define-plugin.ts'
import {
  commentAdditions,
  commentFacets,
  commentModeration,
  commentPermissions,
  commentProviders,
  commentRootTemplate,
  commentSchemas,
  commentTypes,
} from './comment-model.ts'

export { commentsProvider, ofExternalEntity } from './comment-model.ts'

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
  initialContent: [commentRootTemplate],
  pageProviders: commentProviders,
})
