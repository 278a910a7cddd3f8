import { Link } from '@tanstack/react-router'
import type { Document } from '../../api/types.ts'
import { DocumentIcon } from './document-icon.tsx'
import styles from './document-link.module.css'

/** Leads to a document wherever one is named. */
export function DocumentLink({ document }: { readonly document: Document }) {
  return (
    <Link className={styles.link} to="/browse/$" params={{ _splat: (document.path ?? '').replace(/^\//, '') }} tabIndex={-1}>
      <DocumentIcon document={document} />
      <span className={styles.title}>{document.title}</span>
    </Link>
  )
}
