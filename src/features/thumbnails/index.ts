import { createCache } from '../../base/cache/bounded-cache.ts'
import { converterUnavailable, noConverter, sourceTypeRefused } from '../../core/conversion/converter.ts'
import { awaitDerivation, derivationJob } from '../../core/derived-files.ts'
import { plainMimeType } from '../../core/file-texts/text-extractor.ts'
import type { ThumbnailFactory } from '../../core/renditions/thumbnail-factory.ts'
import type { Repository } from '../../core/session.ts'
import type { BlobValue } from '../../model/properties/property.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import type { Services } from '../../rest/services.ts'
import { markForThumbnail, thumbnailDerivation } from './make-thumbnail.ts'
import { recomputeOperation, recomputeThumbnails } from './recompute-thumbnails.ts'
import { thumbnailFacet, thumbnailSchema } from './thumbnail-model.ts'
import { thumbnailRendition } from './thumbnail-rendition.ts'

export { renderPicture } from './sized-picture.ts'

const converter = 'anyToThumbnail'
const largest = '1000x1000'

// Types are what clients say that they are.
const knownTypes = 1_000

/** For all files that a converter makes a picture of on this machine. */
function filesAsPictures(services: Pick<Services, 'conversions'>): ThumbnailFactory {
  // Nothing invalidates it: neither converters nor programs change while a server runs. Planning takes as long as a few statements.
  const possible = createCache<string, boolean>({ maxEntries: knownTypes })
  return {
    name: 'files',
    canMake({ 'mime-type': type }) {
      const mimeType = plainMimeType(type ?? '')
      const known = possible.get(mimeType) ?? canConvert(services, mimeType)
      possible.set(mimeType, known)
      return known
    },
    make: (blob, repository) => makePicture(services, blob, repository),
  }
}

function canConvert({ conversions }: Pick<Services, 'conversions'>, mimeType: string): boolean {
  try {
    return conversions.planner.byName(converter, mimeType).length > 0
  } catch (error) {
    if ([converterUnavailable, noConverter, sourceTypeRefused].some((problem) => problem.is(error))) return false
    throw error
  }
}

async function makePicture(
  { conversions }: Pick<Services, 'conversions'>,
  blob: BlobValue,
  repository: Repository,
): Promise<BlobValue | undefined> {
  const [picture] = await conversions.convert({
    repository,
    source: { blob },
    target: { converter },
    parameters: { size: largest },
    isBackground: true,
  })
  return picture
}

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
