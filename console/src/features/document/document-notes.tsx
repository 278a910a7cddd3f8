import type { ReactNode } from 'react'
import type { Document } from '../../api/types.ts'
import { LockedNote } from '../locks/locked-note.tsx'
import { PublishedNote } from '../publishing/published-note.tsx'
import { QuotaNote } from '../quotas/quota-note.tsx'
import { RetainedNote } from '../retention/retained-note.tsx'
import { TrashedNote } from '../trash/trashed-note.tsx'
import { type DocumentPart, DocumentParts } from './document-parts.tsx'

/** What is to be known of a document before anything else. Each shows itself where it is so. */
const notes: readonly DocumentPart[] = [TrashedNote, PublishedNote, RetainedNote, LockedNote, QuotaNote]

export interface DocumentNotesProps {
  readonly document: Document
  /** Before what is true of the document itself. */
  readonly children?: ReactNode
}

export function DocumentNotes({ document, children }: DocumentNotesProps) {
  return (
    <div>
      {children}
      <DocumentParts parts={notes} document={document} />
    </div>
  )
}
