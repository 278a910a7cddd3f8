import { definePlugin } from '../../plugin/define-plugin.ts'
import { publishingOperations } from './operations.ts'
import { publicationsEnricher } from './publications-enricher.ts'
import {
  askForPublishing,
  offeredOnSections,
  publishingAdditions,
  publishingFacets,
  publishingProviders,
  publishingSchema,
  publishingTypes,
  sectionRootTemplate,
} from './publishing-model.ts'

/** Sections, in which versions of documents are shown to other users. */
export default definePlugin({
  name: 'publishing',
  requires: ['content-model', 'relations', 'files'],
  schemas: [publishingSchema],
  facets: publishingFacets,
  documentTypes: publishingTypes,
  documentTypeAdditions: publishingAdditions,
  permissions: [askForPublishing],
  visiblePermissions: [offeredOnSections],
  initialContent: [sectionRootTemplate],
  pageProviders: publishingProviders,
  enrichers: [publicationsEnricher],
  operations: publishingOperations,
})
