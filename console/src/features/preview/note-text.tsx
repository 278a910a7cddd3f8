import { useQuery } from '@tanstack/react-query'
import { addressOf, fetchText } from '../../api/client.ts'
import { type Document, propertyOf } from '../../api/types.ts'
import { FormattedText } from '../../ui/formatted-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './preview.module.css'

const longest = 500_000

export function hasNote(document: Document): boolean {
  return (propertyOf(document, 'note:note') ?? '').trim() !== ''
}

/** The text of a note, as it was written: plain, with markup, or as Markdown, of which the server makes a page. */
export function NoteText({ document }: { readonly document: Document }) {
  if (!hasNote(document)) return null
  return (
    <div className={styles.note}>
      {propertyOf(document, 'note:mime_type') === 'text/markdown' ? (
        <MarkdownText document={document} />
      ) : (
        <FormattedText text={propertyOf(document, 'note:note') ?? ''} />
      )}
    </div>
  )
}

function MarkdownText({ document: { uid, changeToken } }: { readonly document: Document }) {
  const query = useQuery({
    queryKey: ['pages', uid, changeToken],
    queryFn: ({ signal }) => fetchText(addressOf(`api/v1/id/${uid}/@preview/`), longest, signal),
  })
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ text }) => <FormattedText text={text} />}
    </Shown>
  )
}
