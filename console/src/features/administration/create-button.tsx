import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'

export interface CreateButtonProps {
  readonly label: string
  /** The form that asks for what is needed, and calls what is given once it is done. */
  readonly children: (close: () => void) => ReactNode
}

/** Makes something new, with what a dialog asks for. */
export function CreateButton({ label, children }: CreateButtonProps) {
  const [isOpen, setOpen] = useState(false)
  // At once: who is led somewhere next is not asked about a form that is done.
  const close = () => flushSync(() => setOpen(false))
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {label}
      </Button>
      <Dialog title={label} isOpen={isOpen} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  )
}
