import { type Document, mainFileOf, propertyOf } from '../../api/types.ts'
import { useFormats } from '../../words/formats.ts'
import { DocumentIcon } from '../documents/document-icon.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import styles from './document-listing.module.css'
import type { Layout } from './kept-view.ts'

/** A document by its picture; what has none is told by its icon. */
export function DocumentTile({ document, layout }: { readonly document: Document; readonly layout: Layout }) {
  const { ago } = useFormats()
  const picture = pictureOf(document)
  return (
    <div className={styles.tile}>
      <div className={styles.picture}>
        {picture === undefined ? (
          <DocumentIcon document={document} size={layout === 'gallery' ? 56 : 40} />
        ) : (
          <img src={picture} alt="" loading="lazy" decoding="async" />
        )}
      </div>
      <div className={styles.caption}>
        <DocumentLink document={document} />
        <span className={styles.quiet}>{ago(propertyOf(document, 'dc:modified'))}</span>
      </div>
    </div>
  )
}

const pictured = ['Picture', 'Video', 'Thumbnail']

/** The thumbnail of what has one: of the others it would be a drawing of their type. Drawings are their own, as small as they are. */
function pictureOf(document: Document): string | undefined {
  const file = mainFileOf(document)
  if (file?.['mime-type'] === 'image/svg+xml') return file.data
  if (!document.facets.some((facet) => pictured.includes(facet))) return undefined
  return document.contextParameters?.thumbnail?.url ?? undefined
}
