import { X } from 'lucide-react'
import { Toolbar } from 'react-aria-components'
import { Button } from '../../ui/button.tsx'
import { AddToClipboardAction } from '../clipboard/add-to-clipboard.tsx'
import { AddToCollectionAction } from '../collections/add-to-collection.tsx'
import { FavoriteAction } from '../favorites/favorite-action.tsx'
import { SelectionPieceActions } from '../pieces/piece-actions.tsx'
import { DownloadAction } from '../renditions/download-action.tsx'
import { TrashAction } from '../trash/trash-action.tsx'
import type { SelectionAction } from './selection-action.ts'
import styles from './selection-bar.module.css'
import { useSelectionWords } from './words.ts'

export interface SelectionBarProps {
  readonly selected: ReadonlySet<string>
  readonly actions?: readonly SelectionAction[]
  onClear(): void
}

/** What can be done with documents wherever they are listed. */
const usualActions: readonly SelectionAction[] = [
  AddToClipboardAction,
  AddToCollectionAction,
  FavoriteAction,
  DownloadAction,
  SelectionPieceActions,
  TrashAction,
]

/** What can be done with all that is selected. */
export function SelectionBar({ selected, actions = usualActions, onClear }: SelectionBarProps) {
  const say = useSelectionWords()
  const ids = [...selected]
  return (
    <Toolbar className={styles.bar ?? ''} aria-label={say('actions')}>
      {actions.map((Action, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
        <Action key={index} ids={ids} onDone={onClear} />
      ))}
      <Button look="quiet" onPress={onClear}>
        <X size={16} aria-hidden />
        <span className="wide-only">{say('clear')}</span>
      </Button>
    </Toolbar>
  )
}
