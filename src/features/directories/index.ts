import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { directoryEntryEntity } from './directory-entry-entity.ts'
import { directoryRoutes } from './directory-routes.ts'
import { entryListing } from './entry-listing.ts'
import { vocabularyRoutes } from './management-routes.ts'
import { listEntries, projectEntries, readEntries } from './operations/read-entries.ts'
import { suggestEntries } from './operations/suggest-entries.ts'
import { createEntries, createVocabularyEntry, deleteEntries, updateEntries } from './operations/write-entries.ts'
import { documentsLists, vocabularies, vocabularySchemas } from './vocabularies.ts'

/** The vocabularies that every server has, and how entries of directories are shown and edited. */
export { languageFor } from './labels.ts'

export default definePlugin({
  name: 'directories',
  requires: ['user-profile'],
  events: eventsOf('server', 'directoryEntryChanged'),
  schemas: vocabularySchemas,
  directories: [...vocabularies, documentsLists],
  entityWriters: [directoryEntryEntity],
  pageProviders: [entryListing],
  operations: [
    suggestEntries,
    listEntries,
    readEntries,
    createEntries,
    updateEntries,
    deleteEntries,
    createVocabularyEntry,
    projectEntries,
  ],
  routes: [...directoryRoutes, ...vocabularyRoutes],
})
