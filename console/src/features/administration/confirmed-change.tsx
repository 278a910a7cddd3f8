import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from './use-change.ts'

export interface ConfirmedChangeProps {
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

/** Changes what administrators look after and cannot take back, once that is confirmed. */
export function ConfirmedChange({ words: { label, name, title, sentence, cancel, done }, run }: ConfirmedChangeProps) {
  const change = useAdministrationChange(async () => {
    await run()
    tell({ text: done })
  })
  return (
    <ConfirmedButton
      look="quiet"
      {...(name !== undefined && { 'aria-label': name })}
      title={title}
      sentence={sentence}
      words={{ confirm: label, cancel }}
      isPending={change.isPending}
      onConfirm={(close) => change.mutate(undefined, { onSettled: close })}
    >
      {label}
    </ConfirmedButton>
  )
}
