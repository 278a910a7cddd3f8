import type { ComponentType } from 'react'
import type { Document } from '../../api/types.ts'

/** What features show of a document. Each part shows itself where it makes sense. */
export type DocumentPart = ComponentType<{ readonly document: Document }>

interface DocumentPartsProps {
  readonly parts: readonly DocumentPart[]
  readonly document: Document
}

export function DocumentParts({ parts, document }: DocumentPartsProps) {
  return parts.map((Part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts are a constant of their module, always the same in the same order
    <Part key={index} document={document} />
  ))
}
