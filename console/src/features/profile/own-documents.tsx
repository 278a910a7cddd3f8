import type { LucideIcon } from 'lucide-react'
import { type Document, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { DocumentLink } from '../documents/document-link.tsx'
import styles from './profile.module.css'

interface OwnDocumentsProps {
  readonly documents: readonly Document[]
  readonly icon: LucideIcon
  /** What giving one of them up is called. */
  nameOf(title: string): string
  onGiveUp(id: string): void
}

/** Documents that one has asked something of, each to be given up. */
export function OwnDocuments({ documents, icon: Icon, nameOf, onGiveUp }: OwnDocumentsProps) {
  return (
    <ul className={styles.list}>
      {documents.map((document) => (
        <li key={document.uid}>
          <span className={styles.about}>
            <DocumentLink document={document} isReached />
          </span>
          <Button look="quiet" aria-label={nameOf(titleOf(document))} onPress={() => onGiveUp(document.uid)}>
            <Icon size={16} aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  )
}
