import { Link } from '@tanstack/react-router'
import { type Document, titleOf } from '../../api/types.ts'
import { DocumentIcon } from './document-icon.tsx'
import styles from './document-link.module.css'

export interface DocumentLinkProps {
  readonly document: Document
  /** By the keyboard. Not in a grid, which has keys of its own. */
  readonly isReached?: boolean
}

/** Leads to a document wherever one is named. */
export function DocumentLink({ document, isReached = false }: DocumentLinkProps) {
  return (
    <Link
      className={styles.link}
      to="/browse/$"
      params={{ _splat: (document.path ?? '').replace(/^\//, '') }}
      {...(!isReached && { tabIndex: -1 })}
    >
      <DocumentIcon document={document} />
      <span className={styles.title}>{titleOf(document)}</span>
    </Link>
  )
}
