import { findMimeType } from '../../base/mime-types/mime-type.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenditionProvider } from '../../core/renditions/rendition.ts'
import type { Services } from '../../rest/services.ts'
import { listTranscoded } from './transcoded-videos.ts'
import { videoFacetName } from './video-model.ts'

/** A rendition for each format of a video, by its name (contract: blobs 7.2). */
export const videoRenditions = (services: Pick<Services, 'vendored'>): RenditionProvider => ({
  name: 'transcodedVideos',
  listFor({ model }, document) {
    if (!shapeSeen(model, document).hasFacet(videoFacetName)) return []
    return listTranscoded(document).map(({ name, blob, xpath }) => {
      const mimeType = blob['mime-type'] ?? 'video/mp4'
      return {
        name,
        kind: services.vendored('platform:video:conversion'),
        icon: findMimeType(mimeType)?.icon ?? 'video.png',
        mimeType,
        isAvailable: () => true,
        render: async () => ({ blob, xpath }),
      }
    })
  },
})
