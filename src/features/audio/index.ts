import { awaitDerivation, derivationJob } from '../../core/derived-files.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { audioConverters } from './audio-converters.ts'
import { audioFacet, audioInFolders, audioSchema, audioType } from './audio-model.ts'
import { coverFactory, durationDerivation, forgetOldDuration } from './read-audio.ts'

/** Recordings: how long they are, and what is on their covers. */
export default definePlugin({
  name: 'audio',
  requires: ['content-model', 'publishing', 'comments', 'tags', 'conversion', 'thumbnails'],
  schemas: [audioSchema],
  facets: [audioFacet],
  documentTypes: [audioType],
  documentTypeAdditions: audioInFolders,
  converters: audioConverters,
  contribute(_, services) {
    const duration = durationDerivation(services)
    return {
      listeners: [forgetOldDuration, awaitDerivation(duration)],
      jobs: [derivationJob(duration)],
      thumbnailFactories: [coverFactory(services)],
    }
  },
})
