import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import styles from './button.module.css'

export interface ButtonProps extends Omit<AriaButtonProps, 'className'> {
  /** `main` is the one thing to do here; `quiet` stands among others. */
  readonly look?: 'main' | 'quiet' | 'danger'
}

export function Button({ look, ...rest }: ButtonProps) {
  const name = rest['aria-label']
  return (
    <>
      <AriaButton
        className={look === undefined ? `${styles.button}` : `${styles.button} ${styles[look]}`}
        // Who points at a mere icon is told what it is for, also where there is no room for the words beside it.
        ref={(button) => {
          const words = name ?? button?.querySelector('.wide-only')?.textContent
          if (button !== null && words) button.title = words
        }}
        {...rest}
      />
      {/* Meanwhile it is no button that submits, and Enter in the only field of a form that has none would send the form again. */}
      {rest.type === 'submit' && rest.isPending ? <button type="submit" disabled hidden /> : null}
    </>
  )
}
