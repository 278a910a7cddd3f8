import { Button } from '../button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export interface ConfirmProps {
  readonly title: string
  readonly sentence: string
  readonly isOpen: boolean
  readonly isPending?: boolean
  readonly words: { readonly confirm: string; readonly cancel: string }
  onConfirm(): void
  onClose(): void
}

/** Asks before something that cannot be taken back. */
export function Confirm({ title, sentence, isOpen, isPending = false, words, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <p>{sentence}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {words.cancel}
        </Button>
        <Button look="danger" onPress={onConfirm} isPending={isPending}>
          {words.confirm}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
