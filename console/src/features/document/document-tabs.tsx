import type { ComponentType } from 'react'
import { type Document, hasFacet, isFolder } from '../../api/types.ts'
import { later } from '../problems/later.tsx'
import { mayHaveSnapshots } from '../tree-snapshots/snapshots.ts'
import { isReviewable } from '../workflow/reviewable.ts'
import type { documentTabIds } from './tab-ids.ts'

export interface DocumentTab {
  /** Also its word. */
  readonly id: (typeof documentTabIds)[number]
  /** Whether there is anything to look at; there is, unless told. */
  isFor?(document: Document): boolean
  /** Loaded when it is first looked at. */
  readonly Panel: ComponentType<{ readonly document: Document }>
}

/** The views of a document or folder beside what it is, in their order. */
export const documentTabs: readonly DocumentTab[] = [
  {
    id: 'workflow',
    isFor: isReviewable,
    Panel: later(async () => (await import('../workflow/workflow-panel.tsx')).WorkflowPanel),
  },
  {
    id: 'versions',
    isFor: (document) => hasFacet(document, 'Versionable') && !isFolder(document) && !document.isProxy,
    Panel: later(async () => (await import('../versions/versions.tsx')).Versions),
  },
  {
    // Of a folder the same means all that is in it, too.
    id: 'versions',
    isFor: (document) => isFolder(document) && mayHaveSnapshots(document),
    Panel: later(async () => (await import('../tree-snapshots/snapshots-panel.tsx')).SnapshotsPanel),
  },
  {
    id: 'publishing',
    isFor: (document) => hasFacet(document, 'Publishable') && !document.isProxy && !document.isTrashed,
    Panel: later(async () => (await import('../publishing/publishing.tsx')).Publishing),
  },
  {
    id: 'permissions',
    Panel: later(async () => (await import('../permissions/permissions.tsx')).Permissions),
  },
  { id: 'history', Panel: later(async () => (await import('../history/history.tsx')).History) },
  {
    id: 'trash',
    isFor: (document) => isFolder(document) && !document.isTrashed,
    Panel: later(async () => (await import('../trash/folder-trash.tsx')).FolderTrash),
  },
]
