import { type DocumentBlob, mainBlob } from '../../core/blobs/document-blobs.ts'
import type { BlobContent } from '../../core/blobs/open-blob.ts'
import { shapeSeen } from '../../core/documents/proxies/proxy.ts'
import type { Session } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { isBlobValue, isComplexValue, type PropertyValue } from '../../model/properties/property.ts'
import type { Resource } from '../../rest/resource.ts'

/** What a preview is made of. */
export interface PreviewSource extends BlobContent {
  readonly document?: Document
  readonly xpath?: string
  /** The file of the document, where it is shown by another: who may not have it may not look at it either. */
  readonly shows?: DocumentBlob
  /** Of a video, the forms in which browsers show it. */
  readonly alternatives?: readonly DocumentBlob[]
}

/** The file that is addressed, or of a document what shows it best; undefined where there is none. */
export function findPreviewSource(session: Session, resource: Resource): PreviewSource | undefined {
  if (resource.kind === 'blob') return resource
  if (resource.kind !== 'document') return undefined
  const { document } = resource
  const main = mainBlob(session, document)
  const shape = shapeSeen(session.model, document)
  if (shape.hasFacet('Picture')) {
    const view = listContents(document, 'picture:views').find(({ title }) => title === 'FullHD')
    const found = view?.found ?? main
    return found && { document, ...found, ...(view !== undefined && main !== undefined && { shows: main }) }
  }
  if (main === undefined) return undefined
  const alternatives = shape.hasFacet('Video') ? listContents(document, 'vid:transcodedVideos').map(({ found }) => found) : []
  return { document, ...main, ...(alternatives.length > 0 && { alternatives }) }
}

interface TitledFile {
  readonly title: string
  readonly found: DocumentBlob
}

/** The files in a list of views, with what each is called. */
function listContents({ properties }: Document, property: string): readonly TitledFile[] {
  const items = properties[property]
  return (Array.isArray(items) ? items : []).flatMap((item: PropertyValue, index) => {
    if (!isComplexValue(item)) return []
    const content = item['content'] ?? null
    const title = String(item['title'] ?? item['name'] ?? '')
    return isBlobValue(content) ? [{ title, found: { xpath: `${property}/${index}/content`, blob: content } }] : []
  })
}
