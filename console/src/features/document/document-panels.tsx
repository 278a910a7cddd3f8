import type { Document } from '../../api/types.ts'
import { AttachmentsPanel } from '../attachments/attachments-panel.tsx'
import { CollectionsPanel } from '../collections/collections-panel.tsx'
import { Comments } from '../comments/comments.tsx'
import { ActivityPanel } from '../history/activity-panel.tsx'
import { RelatedPanel } from '../relations/related-panel.tsx'
import { RetentionPanel } from '../retention/retention-panel.tsx'
import { TagsPanel } from '../tags/tags-panel.tsx'
import { type DocumentPart, DocumentParts } from './document-parts.tsx'

/** What stands beside a document, below its properties. Each shows itself where it makes sense. */
const panels: readonly DocumentPart[] = [
  AttachmentsPanel,
  TagsPanel,
  CollectionsPanel,
  RelatedPanel,
  RetentionPanel,
  Comments,
  ActivityPanel,
]

export function DocumentPanels({ document }: { readonly document: Document }) {
  return <DocumentParts parts={panels} document={document} />
}
