import { definePlugin } from '../../plugin/define-plugin.ts'
import { noVersionForTags, taggable, taggableTypes, tagSchemas, tagTypes } from './tag-model.ts'
import { tagsEnricher } from './tags-enricher.ts'

/**
 * Words that users attach to documents. There are no page providers that look for tags, or for the ids of tagged documents,
 * whatever the rights (contract: search 19.2): any user could read off what hidden documents are tagged with.
 */
export default definePlugin({
  name: 'tags',
  requires: ['content-model', 'relations'],
  schemas: tagSchemas,
  facets: [taggable],
  documentTypes: tagTypes,
  documentTypeAdditions: taggableTypes,
  versioningPolicies: noVersionForTags,
  enrichers: [tagsEnricher],
})
