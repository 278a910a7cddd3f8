import { type ComponentType, lazy } from 'react'
import type { Document } from '../../api/types.ts'
import type { DocumentTabId } from './tab-ids.ts'

export interface DocumentTab {
  /** Also its word. */
  readonly id: DocumentTabId
  /** Whether there is anything to look at; there is, unless told. */
  isFor?(document: Document): boolean
  /** Loaded when it is first looked at. */
  readonly Panel: ComponentType<{ readonly document: Document }>
}

/** The views of a document or folder beside what it is, in their order. */
export const documentTabs: readonly DocumentTab[] = [
  {
    id: 'permissions',
    Panel: lazy(async () => ({ default: (await import('../permissions/permissions.tsx')).Permissions })),
  },
  { id: 'history', Panel: lazy(async () => ({ default: (await import('../history/history.tsx')).History })) },
]
