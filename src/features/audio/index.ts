import { definePlugin } from '../../plugin/define-plugin.ts'
import { audioFacet, audioInFolders, audioSchema, audioType } from './audio-model.ts'

/** Recordings. */
export default definePlugin({
  name: 'audio',
  requires: ['content-model', 'publishing', 'comments', 'tags'],
  schemas: [audioSchema],
  facets: [audioFacet],
  documentTypes: [audioType],
  documentTypeAdditions: audioInFolders,
})
