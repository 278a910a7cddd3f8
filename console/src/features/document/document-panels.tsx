import type { ComponentType } from 'react'
import type { Document } from '../../api/types.ts'
import { AttachmentsPanel } from '../attachments/attachments-panel.tsx'
import { CollectionsPanel } from '../collections/collections-panel.tsx'
import { Comments } from '../comments/comments.tsx'
import { ActivityPanel } from '../history/activity-panel.tsx'
import { RelatedPanel } from '../relations/related-panel.tsx'
import { TagsPanel } from '../tags/tags-panel.tsx'

/** What stands beside a document, below its properties. Each shows itself where it makes sense. */
const panels: readonly ComponentType<{ readonly document: Document }>[] = [
  AttachmentsPanel,
  TagsPanel,
  CollectionsPanel,
  RelatedPanel,
  Comments,
  ActivityPanel,
]

export function DocumentPanels({ document }: { readonly document: Document }) {
  return panels.map((Panel, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
    <Panel key={index} document={document} />
  ))
}
