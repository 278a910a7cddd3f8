import type { ComponentType, ReactNode } from 'react'
import type { Document } from '../../api/types.ts'
import { LockedNote } from '../locks/locked-note.tsx'
import { PublishedNote } from '../publishing/published-note.tsx'
import { TrashedNote } from '../trash/trashed-note.tsx'

/** What is to be known of a document before anything else. Each shows itself where it is so. */
const notes: readonly ComponentType<{ readonly document: Document }>[] = [TrashedNote, PublishedNote, LockedNote]

export interface DocumentNotesProps {
  readonly document: Document
  /** Before what is true of the document itself. */
  readonly children?: ReactNode
}

export function DocumentNotes({ document, children }: DocumentNotesProps) {
  return (
    <div>
      {children}
      {notes.map((Note, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <Note key={index} document={document} />
      ))}
    </div>
  )
}
