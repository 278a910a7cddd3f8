import { useId } from 'react'
import { Described, describedBy } from './described.tsx'
import styles from './field.module.css'

export interface ChoiceProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly hint?: string
  /** What is wrong with the value, as the server says it. */
  readonly mistake?: string
  onChange(value: Value): void
}

/** One of a few. The browser's own control: it is quick on every device. */
export function Choice<Value extends string>({ label, value, options, hint, mistake, onChange }: ChoiceProps<Value>) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={styles.select}
        value={value}
        aria-describedby={describedBy(id, { hint, mistake })}
        aria-invalid={mistake !== undefined}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Described id={id} hint={hint} mistake={mistake} />
    </div>
  )
}
