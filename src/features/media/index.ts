import { definePlugin } from '../../plugin/define-plugin.ts'
import { assetsSearchSchema, assetsSearchType, mediaProviders } from './media-model.ts'

/** What pictures, recordings and videos have in common: searches that look for any of them. */
export default definePlugin({
  name: 'media',
  requires: ['content-model', 'search', 'saved-searches', 'pictures', 'audio', 'video'],
  schemas: [assetsSearchSchema],
  documentTypes: [assetsSearchType],
  pageProviders: mediaProviders,
})
