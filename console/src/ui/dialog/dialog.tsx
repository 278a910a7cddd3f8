import { type ReactNode, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { AskedHere, type AskToLeave, leaveHere } from '../leaving.ts'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  onClose(): void
  readonly children: ReactNode
}

/** Asks for something before one goes on. The focus goes into it, and back to where it was. */
export function Dialog({ title, isOpen, onClose, children }: DialogProps) {
  const [asked] = useState(() => new Set<AskToLeave>())
  return (
    <ModalOverlay
      className={styles.veil}
      isOpen={isOpen}
      onOpenChange={(open) => open || leaveHere(asked, onClose)}
      isDismissable
    >
      <Modal className={styles.box}>
        <AriaDialog>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <AskedHere value={asked}>{children}</AskedHere>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export function DialogActions({ children }: { readonly children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
