import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

export interface RevokeButtonProps {
  /** What people know it by. */
  readonly name: string
  readonly label?: string
  revoke(): Promise<void>
}

/** Takes back what was given to a program or service, which cannot be undone. */
export function RevokeButton({ name, label, revoke }: RevokeButtonProps) {
  const say = useProfileWords()
  const change = useAccountChange(revoke)
  const shown = label ?? say('revoke')
  return (
    <ConfirmedButton
      aria-label={say('revokeOne', { name })}
      title={say('revokeTitle', { name })}
      sentence={say('revokeSentence')}
      words={{ confirm: shown, cancel: say('cancel') }}
      isPending={change.isPending}
      onConfirm={(close) =>
        change.mutate(undefined, { onSuccess: () => tell({ text: say('revoked', { name }) }), onSettled: close })
      }
    >
      {shown}
    </ConfirmedButton>
  )
}
