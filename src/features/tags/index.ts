import { eventsOf } from '../../core/event-definition.ts'
import type { InlineListener } from '../../core/session.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { tagOperations } from './operations.ts'
import { tagSettings } from './settings.ts'
import { clearTags } from './tag-document.ts'
import { noVersionForTags, taggable, taggableTypes, tagSchemas, tagTypes } from './tag-model.ts'
import { tagsEnricher } from './tags-enricher.ts'

/** What is in the trash is found by no tag. */
const untagTrashed: InlineListener = {
  name: 'untagTrashed',
  when: 'inline',
  events: ['documentTrashed'],
  handle: ({ document }, session) => clearTags(session, document),
}

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
  events: eventsOf('after', 'documentTagUpdated'),
  settings: tagSettings,
  contribute: ({ tagSanitizationEnabled, tagRemovalOnTrashEnabled }) => ({
    operations: tagOperations({ sanitises: tagSanitizationEnabled }),
    listeners: tagRemovalOnTrashEnabled ? [untagTrashed] : [],
  }),
})
