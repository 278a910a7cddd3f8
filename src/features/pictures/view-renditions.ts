import { findMimeType } from '../../base/mime-types/mime-type.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenditionProvider } from '../../core/renditions/rendition.ts'
import type { Services } from '../../rest/services.ts'
import { renderPicture } from '../thumbnails/index.ts'
import { pictureFacetName } from './make-views.ts'
import { listViews } from './stored-views.ts'

/** A rendition for each view of a picture, by the title of the view (contract: blobs 7.2). */
export const viewRenditions = (services: Pick<Services, 'conversions' | 'vendored'>): RenditionProvider => ({
  name: 'pictureViews',
  listFor({ model }, document) {
    if (!shapeSeen(model, document).hasFacet(pictureFacetName)) return []
    return listViews(document).map(({ title, ...view }) => {
      const mimeType = view.blob['mime-type'] ?? 'image/jpeg'
      return {
        name: title,
        kind: services.vendored('platform:picture:conversion'),
        icon: findMimeType(mimeType)?.icon ?? 'image.gif',
        mimeType,
        isAvailable: () => true,
        render: (call) => renderPicture(services, call, view),
      }
    })
  },
})
