import { Trash2 } from 'lucide-react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { usePermissionWords } from './words.ts'

export interface TakeAwayButtonProps {
  readonly documentId: string
  readonly aceId: string
  readonly who: string
}

/** Asks first: whoever takes away their own right to do so cannot give it back, and a guest's link is void at once. */
export function TakeAwayButton({ documentId, aceId, who }: TakeAwayButtonProps) {
  const say = usePermissionWords()
  const remove = useDocumentChange(() => runOperation('Document.RemovePermission', [documentId], { id: aceId }))
  return (
    <ConfirmedButton
      look="quiet"
      aria-label={say('remove', { who })}
      title={say('removeTitle', { who })}
      sentence={say('removeHint')}
      words={{ confirm: say('takeAway'), cancel: say('cancel') }}
      isPending={remove.isPending}
      onConfirm={(close) =>
        // Not with callbacks of `mutate`: the line may be gone before they are called.
        void remove
          .mutateAsync(undefined)
          .then(
            () => tell({ text: say('removed', { who }) }),
            ({ message }: Error) => tell({ kind: 'problem', text: message }),
          )
          .finally(close)
      }
    >
      <Trash2 size={16} aria-hidden />
    </ConfirmedButton>
  )
}
