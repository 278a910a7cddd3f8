import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import { containerRendition, isContainer } from '../../core/renditions/default-rendition.ts'
import type { Rendition } from '../../core/renditions/rendition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Services } from '../../rest/services.ts'
import { lazyRenditionJob } from './lazy-renditions.ts'
import { renditionOperations } from './operations.ts'
import { pdfRenditions } from './pdf-renditions.ts'
import { renditionAdapter } from './rendition-adapter.ts'
import { renditionFacets, renditionSchemas } from './rendition-model.ts'
import { renditionsEnricher } from './renditions-enricher.ts'
import { removeOrphanedRenditions } from './stored-renditions.ts'
import { usualBounds, zipContainer } from './zip-container.ts'

const containerOf = (services: Services): Rendition => ({
  name: containerRendition,
  icon: 'zip_export.png',
  mimeType: 'application/zip',
  order: 70,
  isHidden: true,
  isAvailable: ({ model }, document) => isContainer(shapeSeen(model, document)),
  render: (call) => zipContainer(services, call, usualBounds),
})

/** Documents in other forms: which there are, how they are asked for, and what is made of a document and stored. */
export default definePlugin({
  name: 'renditions',
  requires: ['files'],
  schemas: renditionSchemas,
  facets: renditionFacets,
  adapters: [renditionAdapter],
  enrichers: [renditionsEnricher],
  operations: renditionOperations,
  schedules: [removeOrphanedRenditions],
  contribute: (_, services) => ({
    renditions: [containerOf(services), ...pdfRenditions(services)],
    jobs: [lazyRenditionJob(services)],
  }),
})
