import { Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import type { SelectionActionProps } from '../selection/selection-action.ts'
import { useTrash } from './use-trash.ts'
import { useTrashWords } from './words.ts'

/** Puts what is selected into the trash. */
export function TrashAction({ ids, onDone }: SelectionActionProps) {
  const say = useTrashWords()
  const trash = useTrash()
  return (
    <Button
      onPress={() => {
        trash(ids)
        onDone()
      }}
    >
      <Trash2 size={16} aria-hidden />
      <span className="wide-only">{say('trash')}</span>
    </Button>
  )
}
