import { definePlugin } from '../../plugin/define-plugin.ts'
import { directoryEntryEntity } from './directory-entry-entity.ts'
import { directoryRoutes } from './directory-routes.ts'
import { entryListing } from './entry-listing.ts'
import { listEntries, projectEntries, readEntries } from './operations/read-entries.ts'
import { suggestEntries } from './operations/suggest-entries.ts'
import { createEntries, createVocabularyEntry, deleteEntries, updateEntries } from './operations/write-entries.ts'
import { tokenDirectories, tokenSchemas } from './token-directories.ts'
import { documentsLists, vocabularies } from './vocabularies.ts'

/** The built-in vocabularies and the stores of authentication, and how entries of directories are shown and edited. */
export default definePlugin({
  name: 'directories',
  requires: ['user-profile'],
  schemas: tokenSchemas,
  directories: [...vocabularies, documentsLists, ...tokenDirectories],
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
  routes: directoryRoutes,
})
