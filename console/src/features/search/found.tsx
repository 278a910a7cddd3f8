import type { Document } from '../../api/types.ts'
import { placeOf } from '../documents/place-of.ts'
import { piecesOf } from './marked-text.ts'
import styles from './search.module.css'

/** Where a document lies, and the words in it that were looked for. */
export function Found({ document }: { readonly document: Document }) {
  const marked = document.contextParameters?.highlight ?? []
  const inText = marked.find(({ field, segments }) => field !== 'dc:title.fulltext' && segments.length > 0)
  const folder = placeOf(document)
  return (
    <div className={styles.found}>
      {inText === undefined ? (
        folder
      ) : (
        <>
          {piecesOf(inText.segments[0] ?? '').map(({ text, isMatch }, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a text that does not change
            isMatch ? <mark key={index}>{text}</mark> : text,
          )}
          <span className={styles.place}>{folder}</span>
        </>
      )}
    </div>
  )
}
