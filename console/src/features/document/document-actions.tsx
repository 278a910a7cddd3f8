import { Toolbar } from 'react-aria-components'
import type { Document } from '../../api/types.ts'
import { PasteMenu } from '../clipboard/paste-menu.tsx'
import { FavoriteButton } from '../favorites/favorite-button.tsx'
import { WatchButton } from '../notifications/watch-button.tsx'
import { DocumentPieceActions } from '../pieces/piece-actions.tsx'
import { FirstQuotaButton } from '../quotas/quota-button.tsx'
import { DownloadMenu } from '../renditions/download-menu.tsx'
import { SynchroniseButton } from '../synchronisation/synchronise-button.tsx'
import { TrashButton } from '../trash/trash-button.tsx'
import { StartWorkflowButton } from '../workflow/start-workflow.tsx'
import { AddToMenu } from './add-to-menu.tsx'
import styles from './document-actions.module.css'
import { type DocumentPart, DocumentParts } from './document-parts.tsx'
import { useDocumentWords } from './words.ts'

/** What can be done with a document or folder, whichever of its views one looks at. Each shows itself where it makes sense. */
const actions: readonly DocumentPart[] = [
  PasteMenu,
  FavoriteButton,
  WatchButton,
  StartWorkflowButton,
  DocumentPieceActions,
  DownloadMenu,
  AddToMenu,
  SynchroniseButton,
  FirstQuotaButton,
  TrashButton,
]

export function DocumentActions({ document }: { readonly document: Document }) {
  const say = useDocumentWords()
  return (
    <Toolbar className={`${styles.bar}`} aria-label={say('actions')}>
      <DocumentParts parts={actions} document={document} />
    </Toolbar>
  )
}
