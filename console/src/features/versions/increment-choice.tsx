import styles from './versions.module.css'

interface IncrementChoiceProps<Increment extends string> {
  readonly legend: string
  readonly options: readonly { readonly value: Increment; readonly label: string }[]
  readonly value: Increment
  onChange(increment: NoInfer<Increment>): void
}

/** How large the step to the next version is. */
export function IncrementChoice<Increment extends string>({ legend, options, value, onChange }: IncrementChoiceProps<Increment>) {
  return (
    <fieldset className={styles.choice}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name="increment" checked={value === option.value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
