import { Copy } from 'lucide-react'
import { Button } from './button.tsx'
import { DialogActions } from './dialog/dialog.tsx'
import styles from './shown-once.module.css'
import { TextField } from './text-field.tsx'
import { tell } from './toasts.tsx'

export interface ShownOnceProps {
  readonly secret: string
  readonly words: {
    readonly label: string
    readonly hint: string
    readonly copy: string
    readonly copied: string
    readonly close: string
  }
  onClose(): void
}

/** A secret right after it was made: who closes this does not see it again. */
export function ShownOnce({ secret, words, onClose }: ShownOnceProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    tell({ text: words.copied })
  }
  return (
    <div className={styles.shown}>
      <TextField label={words.label} hint={words.hint} value={secret} isReadOnly autoFocus />
      <DialogActions>
        {/* Only where the connection is secure has a browser a clipboard. */}
        {isSecureContext ? (
          <Button onPress={() => void copy()}>
            <Copy size={16} aria-hidden />
            {words.copy}
          </Button>
        ) : null}
        <Button look="main" onPress={onClose}>
          {words.close}
        </Button>
      </DialogActions>
    </div>
  )
}
