import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import styles from './segments.module.css'

export interface SegmentsProps<Id extends string> {
  readonly label: string
  readonly selected: Id
  readonly options: readonly { readonly id: Id; readonly label: string }[]
  onSelect(id: Id): void
}

/** One of very few, all in view: which part of a list is shown. */
export function Segments<Id extends string>({ label, selected, options, onSelect }: SegmentsProps<Id>) {
  return (
    <ToggleButtonGroup
      className={styles.group ?? ''}
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[selected]}
      onSelectionChange={(keys) => {
        const [key] = keys
        if (key !== undefined) onSelect(key as Id)
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className={styles.segment ?? ''}>
          {option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
