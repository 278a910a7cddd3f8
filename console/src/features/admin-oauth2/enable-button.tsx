import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { useOAuth2Words } from './words.ts'

export interface EnableButtonProps {
  readonly name: string
  readonly isEnabled: boolean
  readonly isDisabled?: boolean
  change(isEnabled: boolean): Promise<unknown>
}

/** Lets a program or service in or keeps it out, from its next request on. */
export function EnableButton({ name, isEnabled, isDisabled = false, change }: EnableButtonProps) {
  const say = useOAuth2Words()
  const toggle = useAdministrationChange(change)
  return (
    <div>
      <Button
        isDisabled={isDisabled}
        isPending={toggle.isPending}
        onPress={() =>
          toggle.mutate(!isEnabled, {
            onSuccess: () => tell({ text: say(isEnabled ? 'nowDisabled' : 'nowEnabled', { name }) }),
          })
        }
      >
        {say(isEnabled ? 'disable' : 'enable')}
      </Button>
    </div>
  )
}
