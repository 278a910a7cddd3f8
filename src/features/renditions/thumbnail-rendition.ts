import { madeBlob } from '../../automation/values/flowing-blob.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { RenderedFile, Rendition } from '../../core/renditions/rendition.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import { findDrawing } from '../icons/index.ts'

/** A small picture of any document: a view of it, its stored thumbnail, else the drawing of its type (contract: blobs 9). */
export const thumbnailRendition: Rendition = {
  name: 'thumbnail',
  kind: 'cmis:thumbnail',
  icon: 'image.gif',
  mimeType: 'image/jpeg',
  order: 20,
  isGlance: true,
  isAvailable: () => true,
  render: async ({ session, document }) => findPicture(session, document) ?? findIcon(session, document),
}

function findPicture(session: Session, document: Document): RenderedFile | undefined {
  const shape = shapeSeen(session.model, document)
  const { 'picture:views': views, 'thumb:thumbnail': stored } = document.properties
  if (shape.hasFacet('Picture') || shape.hasFacet('Video')) return findView(views, 'Small') ?? findView(views, 'Thumbnail')
  return shape.hasSchema('thumbnail') && isBlobValue(stored) ? { blob: stored, xpath: 'thumb:thumbnail' } : undefined
}

function findView(views: PropertyValue | undefined, title: string): RenderedFile | undefined {
  for (const [index, view] of (Array.isArray(views) ? views : []).entries()) {
    if (!isComplexValue(view) || view['title'] !== title) continue
    const content = view['content'] ?? null
    if (isBlobValue(content)) return { blob: content, xpath: `picture:views/${index}/content` }
  }
  return undefined
}

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
