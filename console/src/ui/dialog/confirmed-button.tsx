import { useState } from 'react'
import { Button, type ButtonProps } from '../button.tsx'
import { Confirm, type ConfirmProps } from './confirm.tsx'

export interface ConfirmedButtonProps
  extends Pick<ButtonProps, 'look' | 'children' | 'aria-label'>,
    Pick<ConfirmProps, 'title' | 'sentence' | 'words'> {
  readonly isPending: boolean
  /** Does it, and closes the question once it is done or has failed. */
  onConfirm(close: () => void): void
}

/** A button for what cannot be taken back, which asks first. */
export function ConfirmedButton({ title, sentence, words, isPending, onConfirm, ...button }: ConfirmedButtonProps) {
  const [isAsked, setAsked] = useState(false)
  const close = () => setAsked(false)
  return (
    <>
      <Button {...button} onPress={() => setAsked(true)} />
      <Confirm
        title={title}
        sentence={sentence}
        words={words}
        isOpen={isAsked}
        isPending={isPending}
        onClose={close}
        onConfirm={() => onConfirm(close)}
      />
    </>
  )
}
