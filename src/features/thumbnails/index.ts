import { converterUnavailable, noConverter, sourceTypeRefused } from '../../core/conversion/converter.ts'
import { awaitDerivation, derivationJob } from '../../core/derived-files.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { ThumbnailFactory } from '../../core/renditions/thumbnail-factory.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Services } from '../../rest/services.ts'
import { markForThumbnail, thumbnailDerivation } from './make-thumbnail.ts'
import { recomputeOperation, recomputeThumbnails } from './recompute-thumbnails.ts'
import { thumbnailFacet, thumbnailSchema } from './thumbnail-model.ts'
import { thumbnailRendition } from './thumbnail-rendition.ts'

export { renderPicture } from './sized-picture.ts'

const converter = 'anyToThumbnail'
const largest = '1000x1000'

/** For all files that a converter makes a picture of, at present and on this machine. */
const filesAsPictures = (services: Pick<Services, 'conversions'>): ThumbnailFactory => ({
  name: 'files',
  canMake({ 'mime-type': type }) {
    try {
      return services.conversions.planner.byName(converter, plainMimeType(type ?? '')).length > 0
    } catch (error) {
      if ([converterUnavailable, noConverter, sourceTypeRefused].some((problem) => problem.is(error))) return false
      throw error
    }
  },
  async make(blob, repository) {
    const [picture] = await services.conversions.convert({
      repository,
      source: { blob },
      target: { converter },
      parameters: { size: largest },
      isBackground: true,
    })
    return picture
  },
})

/** Small pictures by which documents are known in lists. */
export default definePlugin({
  name: 'thumbnails',
  requires: ['files', 'icons', 'conversion', 'search', 'bulk', 'renditions'],
  schemas: [thumbnailSchema],
  facets: [thumbnailFacet],
  contribute(_, services) {
    const derivation = thumbnailDerivation(services)
    const action = recomputeThumbnails(services)
    return {
      renditions: [thumbnailRendition(services)],
      thumbnailFactories: [filesAsPictures(services)],
      listeners: [markForThumbnail(services), awaitDerivation(derivation)],
      jobs: [derivationJob(derivation)],
      bulkActions: [action],
      operations: [recomputeOperation(action)],
    }
  },
})
