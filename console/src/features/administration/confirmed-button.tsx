import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from './use-change.ts'

export interface ConfirmedButtonProps {
  readonly words: {
    readonly label: string
    /** What it is done to, for who does not see the row. */
    readonly name?: string
    readonly title: string
    readonly sentence: string
    readonly cancel: string
    /** Told once it is done. */
    readonly done: string
  }
  run(): Promise<unknown>
}

/** Does what cannot be taken back, once that is confirmed. */
export function ConfirmedButton({ words, run }: ConfirmedButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const change = useAdministrationChange(async () => {
    await run()
    tell({ text: words.done })
  })
  return (
    <>
      <Button look="quiet" {...(words.name !== undefined && { 'aria-label': words.name })} onPress={() => setAsked(true)}>
        {words.label}
      </Button>
      <Confirm
        title={words.title}
        sentence={words.sentence}
        words={{ confirm: words.label, cancel: words.cancel }}
        isOpen={isAsked}
        isPending={change.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => change.mutate(undefined, { onSettled: () => setAsked(false) })}
      />
    </>
  )
}
