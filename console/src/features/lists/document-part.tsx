import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import type { Document, DocumentPage } from '../../api/types.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './document-part.module.css'

export interface DocumentPartProps {
  readonly title: string
  readonly query: UseQueryResult<Pick<DocumentPage, 'entries'>>
  readonly more?: ReactNode
  readonly empty: ReactNode
  /** Stands at the end of a line. */
  readonly beside: (document: Document) => ReactNode
}

/** A few documents under a heading, each with something said at the end of its line. */
export function DocumentPart({ title, query, more, empty, beside }: DocumentPartProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>{title}</h2>
        {more}
      </header>
      <Shown query={query} waiting={<Waiting />}>
        {({ entries }) =>
          entries.length === 0 ? (
            empty
          ) : (
            <ul className={styles.list}>
              {entries.map((document) => (
                <li key={document.uid}>
                  <DocumentLink document={document} isReached />
                  {beside(document)}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      <Skeleton width="70%" />
      <Skeleton width="50%" />
      <Skeleton width="60%" />
    </div>
  )
}
