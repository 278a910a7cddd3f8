import { awaitDerivation, derivationJob } from '../../core/derived-files.ts'
import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { findViewToShow } from '../pictures/index.ts'
import { forgetOldVideo, videoDerivation } from './derive-video.ts'
import { addWatermark, concat, extractCaptions, slice, sliceInParts } from './operations.ts'
import { videoBulkActions } from './recompute-videos.ts'
import { videoSettings } from './settings.ts'
import { conversionsDone, transcodingDerivation } from './transcoded-videos.ts'
import { videoConverters } from './video-converters.ts'
import { videoFacetName, videoFacets, videoSchema, videosInFolders, videoType } from './video-model.ts'
import { videoRenditions } from './video-renditions.ts'

/** Videos, their storyboards and their other formats. */
export default definePlugin({
  name: 'video',
  requires: ['content-model', 'publishing', 'comments', 'tags', 'pictures', 'conversion', 'bulk', 'thumbnails'],
  schemas: [videoSchema],
  facets: videoFacets,
  documentTypes: [videoType],
  documentTypeAdditions: videosInFolders,
  converters: videoConverters,
  events: eventsOf('after', conversionsDone),
  operations: [slice, sliceInParts, addWatermark, concat, extractCaptions],
  thumbnailFactories: [{ name: 'videos', facet: videoFacetName, find: findViewToShow }],
  settings: videoSettings,
  contribute(_, services) {
    const reading = videoDerivation(services)
    return {
      listeners: [forgetOldVideo, awaitDerivation(reading)],
      jobs: [derivationJob(reading), derivationJob(transcodingDerivation(services))],
      renditionProviders: [videoRenditions(services)],
      bulkActions: videoBulkActions(services),
    }
  },
})
