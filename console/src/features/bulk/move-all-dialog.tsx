import { useState } from 'react'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { DocumentField, onlyFolders } from '../documents/document-field.tsx'
import { useBulkWords } from './words.ts'

export interface MoveAllDialogProps {
  readonly count: number
  readonly canTakeBack: boolean
  onChoose(folder: Document): void
  onClose(): void
}

/** Asks which folder everything goes to. */
export function MoveAllDialog({ count, canTakeBack, onChoose, onClose }: MoveAllDialogProps) {
  const say = useBulkWords()
  const [folder, setFolder] = useState<Document>()
  return (
    <Dialog title={say('moveAll', { count })} isOpen onClose={onClose}>
      <DocumentField label={say('where')} chosen={folder} condition={onlyFolders} onChoose={setFolder} autoFocus />
      <p>{say(canTakeBack ? 'moveAllHint' : 'moveManyHint')}</p>
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" isDisabled={folder === undefined} onPress={() => folder && onChoose(folder)}>
          {say('move')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
