import { definePlugin } from '../../plugin/define-plugin.ts'
import { findViewToShow } from '../pictures/index.ts'
import { videoFacets, videoSchema, videosInFolders, videoType } from './video-model.ts'

/** Videos, their storyboards and their other formats. */
export default definePlugin({
  name: 'video',
  requires: ['content-model', 'publishing', 'comments', 'tags', 'pictures'],
  schemas: [videoSchema],
  facets: videoFacets,
  documentTypes: [videoType],
  documentTypeAdditions: videosInFolders,
  thumbnailFactories: [{ name: 'videos', facet: 'Video', find: findViewToShow }],
})
