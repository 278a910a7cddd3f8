import { madeBlob } from '../../automation/values/flowing-blob.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenderedFile, Rendition } from '../../core/renditions/rendition.ts'
import { findStoredThumbnail } from '../../core/renditions/thumbnail-factory.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import type { Services } from '../../rest/services.ts'
import { findDrawing } from '../icons/index.ts'
import { renderPicture } from './sized-picture.ts'

/** A small picture of any document: what the factory of its kind shows, else the drawing of its type (contract: blobs 9). */
export const thumbnailRendition = (services: Pick<Services, 'thumbnails' | 'conversions'>): Rendition => ({
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: 'image.gif',
  mimeType: 'image/jpeg',
  order: 20,
  isGlance: true,
  isAvailable: () => true,
  async render(call) {
    const { session, document, size } = call
    const { find = findStoredThumbnail } = services.thumbnails.factoryFor(shapeSeen(session.model, document))
    const picture = find(document, size)
    return picture === undefined ? findIcon(session, document) : renderPicture(services, call, picture)
  },
})

function findIcon({ model }: Session, document: Document): RenderedFile | undefined {
  const own = document.properties['common:icon']
  const icons = [typeof own === 'string' ? own : undefined, shapeSeen(model, document).type.icon, '/icons/file.gif']
  for (const icon of icons) {
    const name = icon?.slice(icon.lastIndexOf('/') + 1)
    const drawing = name === undefined ? undefined : findDrawing(name)
    if (drawing !== undefined)
      return { ...madeBlob(drawing, { name: `${plain(name)}.svg`, mimeType: 'image/svg+xml' }), isUndated: true }
  }
  return undefined
}

function plain(name = ''): string {
  return name.replace(/\.\w+$/, '')
}
