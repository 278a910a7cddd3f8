import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

export interface QuestionProps {
  readonly title: string
  readonly isOpen: boolean
  /** What happens if somebody says yes. */
  readonly confirmLabel: string
  readonly cancelLabel: string
  readonly isDangerous?: boolean
  readonly isPending?: boolean
  onConfirm(): void
  onClose(): void
  readonly children?: ReactNode
}

/** Asks before something is done that cannot be taken back. */
export function Question({
  title,
  isOpen,
  confirmLabel,
  cancelLabel,
  isDangerous = false,
  isPending,
  onConfirm,
  onClose,
  children,
}: QuestionProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {cancelLabel}
        </Button>
        <Button look={isDangerous ? 'danger' : 'main'} onPress={onConfirm} isPending={isPending}>
          {confirmLabel}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
