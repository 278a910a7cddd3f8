import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { runOperation, useDocumentChange } from '../../api/changes.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
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
  const [isAsked, setAsked] = useState(false)
  const remove = useDocumentChange((id: string) => runOperation('Document.RemovePermission', [id], { id: aceId }))
  return (
    <>
      <Button look="quiet" aria-label={say('remove', { who })} onPress={() => setAsked(true)}>
        <Trash2 size={16} aria-hidden />
      </Button>
      <Confirm
        title={say('removeTitle', { who })}
        sentence={say('removeHint')}
        words={{ confirm: say('takeAway'), cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={remove.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          remove.mutate(documentId, {
            onSuccess: () => tell({ text: say('removed', { who }) }),
            onError: ({ message }) => tell({ kind: 'problem', text: message }),
            onSettled: () => setAsked(false),
          })
        }
      />
    </>
  )
}
