import { ArrowUpRight, ChevronLeft, ChevronRight, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { type Document, mainFileOf, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { isTyping } from '../../ui/commands.ts'
import { Message } from '../../ui/message.tsx'
import { DocumentIcon, iconOf } from '../documents/document-icon.tsx'
import { Preview } from './preview.tsx'
import styles from './preview-overlay.module.css'
import { usePreviewWords } from './words.ts'

export interface PreviewOverlayProps {
  /** Of the document to begin with. */
  readonly id: string
  readonly pages: { readonly count: number; rowAt(index: number): Document | undefined }
  onClose(): void
  onOpen(document: Document): void
}

/** Looks at one document of a list after the other, without leaving the list. */
export function PreviewOverlay({ id, pages, onClose, onOpen }: PreviewOverlayProps) {
  const say = usePreviewWords()
  const [place, setPlace] = useState(() => placeOf(id, pages))
  const document = pages.rowAt(place)
  const step = (by: number) => {
    if (pages.rowAt(place + by) !== undefined) setPlace(place + by)
  }
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.target instanceof HTMLMediaElement) return
      if (event.key === 'ArrowRight') step(1)
      else if (event.key === 'ArrowLeft') step(-1)
      else return
      event.preventDefault()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
  if (document === undefined) return null
  const file = mainFileOf(document)
  return (
    <ModalOverlay className={styles.veil} isOpen onOpenChange={(open) => open || onClose()}>
      <Modal className={styles.box}>
        <AriaDialog className={styles.dialog}>
          <header className={styles.head}>
            <DocumentIcon document={document} />
            <Heading slot="title" level={2}>
              {titleOf(document)}
            </Heading>
            <span className={styles.tools}>
              <Button
                look="quiet"
                aria-label={say('before')}
                isDisabled={pages.rowAt(place - 1) === undefined}
                onPress={() => step(-1)}
              >
                <ChevronLeft size={18} aria-hidden />
              </Button>
              <Button
                look="quiet"
                aria-label={say('after')}
                isDisabled={pages.rowAt(place + 1) === undefined}
                onPress={() => step(1)}
              >
                <ChevronRight size={18} aria-hidden />
              </Button>
              <Button
                onPress={() => {
                  onClose()
                  onOpen(document)
                }}
              >
                <ArrowUpRight size={16} aria-hidden />
                {say('open')}
              </Button>
              <Button look="quiet" aria-label={say('close')} onPress={onClose}>
                <X size={18} aria-hidden />
              </Button>
            </span>
          </header>
          <div className={styles.content}>
            {file === undefined ? (
              <Message icon={iconOf(document)} title={say('noFile')} />
            ) : (
              <Preview key={document.uid} file={file} documentId={document.uid} />
            )}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

function placeOf(id: string, { count, rowAt }: PreviewOverlayProps['pages']): number {
  for (let index = 0; index < count; index += 1) if (rowAt(index)?.uid === id) return index
  return 0
}
