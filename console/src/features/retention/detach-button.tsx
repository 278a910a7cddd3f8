import { useDocumentChange } from '../../api/changes.ts'
import { detachRule } from '../../api/retention.ts'
import type { Document } from '../../api/types.ts'
import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { told } from '../problems/told.ts'
import { useRetentionWords } from './words.ts'

/** Takes a rule back that was attached so that it can be. */
export function DetachButton({ document }: { readonly document: Document }) {
  const say = useRetentionWords()
  const detach = useDocumentChange(detachRule)
  return (
    <ConfirmedButton
      title={say('detachTitle')}
      sentence={say('detachSentence')}
      words={{ confirm: say('detach'), cancel: say('cancel') }}
      isPending={detach.isPending}
      onConfirm={(close) => told(detach.mutateAsync(document.uid).finally(close), () => tell({ text: say('detached') }))}
    >
      {say('detach')}
    </ConfirmedButton>
  )
}
