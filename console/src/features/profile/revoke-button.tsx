import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
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
  const [isAsked, setAsked] = useState(false)
  const change = useAccountChange(revoke)
  const shown = label ?? say('revoke')
  return (
    <>
      <Button aria-label={say('revokeOne', { name })} onPress={() => setAsked(true)}>
        {shown}
      </Button>
      <Confirm
        title={say('revokeTitle', { name })}
        sentence={say('revokeSentence')}
        words={{ confirm: shown, cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={change.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() =>
          change.mutate(undefined, {
            onSuccess: () => tell({ text: say('revoked', { name }) }),
            onSettled: () => setAsked(false),
          })
        }
      />
    </>
  )
}
