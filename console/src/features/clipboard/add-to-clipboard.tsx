import { ClipboardPlus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { useClipboard } from './use-clipboard.ts'
import { useClipboardWords } from './words.ts'

/** Puts what is selected aside, to copy or move it elsewhere. */
export function AddToClipboardAction({ ids, onDone }: SelectionActionProps) {
  const say = useClipboardWords()
  const add = useAddToClipboard()
  return (
    <Button
      onPress={() => {
        add(ids)
        onDone()
      }}
    >
      <ClipboardPlus size={16} aria-hidden />
      <span className="wide-only">{say('add')}</span>
    </Button>
  )
}

/** Puts documents there, and tells of it. */
export function useAddToClipboard(): (ids: readonly string[]) => void {
  const say = useClipboardWords()
  const { add, remove } = useClipboard()
  return (ids) => {
    add(ids)
    tell({ text: say('added', { count: ids.length }), action: { label: say('undo'), run: () => remove(ids) } })
  }
}

/** Copies or cuts documents, as the keys for that do everywhere: what was on the clipboard is gone. */
export function useTakeToClipboard(): (ids: readonly string[], isCut: boolean) => void {
  const say = useClipboardWords()
  const { replace } = useClipboard()
  return (ids, isCut) => {
    replace(ids, isCut)
    tell({ text: say(isCut ? 'cut' : 'taken', { count: ids.length }) })
  }
}
