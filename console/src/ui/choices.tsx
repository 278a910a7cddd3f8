import { X } from 'lucide-react'
import { useId } from 'react'
import { Button } from './button.tsx'
import styles from './choices.module.css'
import { Described, describedBy } from './described.tsx'
import fieldStyles from './field.module.css'

export interface ChoicesProps {
  readonly label: string
  readonly values: readonly string[]
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly hint?: string
  readonly mistake?: string
  readonly words: { readonly add: string; remove(name: string): string }
  onChange(values: readonly string[]): void
}

/** Several of many: those chosen stand in a row, and the next is picked from the rest. */
export function Choices({ label, values, options, hint, mistake, words, onChange }: ChoicesProps) {
  const id = useId()
  const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value
  const rest = options.filter(({ value }) => !values.includes(value))
  return (
    <div className={fieldStyles.field}>
      <label htmlFor={id}>{label}</label>
      <ul className={styles.chosen}>
        {values.map((value) => (
          <li key={value}>
            {labelOf(value)}
            <Button
              look="quiet"
              aria-label={words.remove(labelOf(value))}
              onPress={() => onChange(values.filter((one) => one !== value))}
            >
              <X size={14} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <select
        id={id}
        className={fieldStyles.select}
        value=""
        aria-describedby={describedBy(id, { hint, mistake })}
        aria-invalid={mistake !== undefined}
        onChange={(event) => onChange([...values, event.target.value])}
      >
        <option value="">{words.add}</option>
        {rest.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Described id={id} hint={hint} mistake={mistake} />
    </div>
  )
}
