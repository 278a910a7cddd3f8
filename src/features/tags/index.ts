import { definePlugin } from '../../plugin/define-plugin.ts'
import { noVersionForTags, taggable, taggableTypes, tagSchemas, tagTypes } from './tag-model.ts'

/** Words that people attach to documents. */
export default definePlugin({
  name: 'tags',
  requires: ['content-model', 'relations'],
  schemas: tagSchemas,
  facets: [taggable],
  documentTypes: tagTypes,
  documentTypeAdditions: taggableTypes,
  versioningPolicies: noVersionForTags,
})
