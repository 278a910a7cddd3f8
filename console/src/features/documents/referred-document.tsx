import { useQuery } from '@tanstack/react-query'
import { namedDocumentQuery } from '../../api/documents.ts'
import { titleOf } from '../../api/types.ts'
import { DocumentLink } from './document-link.tsx'
import { referenceIn } from './stored-reference.ts'

export interface ReferredDocumentProps {
  /** As a property names it. */
  readonly stored: string
  /** In a list, which has keys of its own. */
  readonly isInline?: boolean
}

/** A document that another one names, by its title; whoever may not see it is shown what is stored. */
export function ReferredDocument({ stored, isInline = false }: ReferredDocumentProps) {
  const { data } = useQuery(namedDocumentQuery(referenceIn(stored)))
  if (data === undefined) return stored
  return isInline ? titleOf(data) : <DocumentLink document={data} isReached />
}
