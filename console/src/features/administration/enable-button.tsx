import { Button } from '../../ui/button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from './use-change.ts'
import { useAdministrationWords } from './words.ts'

export interface EnableButtonProps {
  readonly name: string
  readonly isEnabled: boolean
  readonly isDisabled?: boolean
  change(isEnabled: boolean): Promise<unknown>
}

/** Turns something on or off, which holds from then on. */
export function EnableButton({ name, isEnabled, isDisabled = false, change }: EnableButtonProps) {
  const say = useAdministrationWords()
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
