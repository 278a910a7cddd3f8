import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { Button } from './button.tsx'
import styles from './choices.module.css'
import fieldStyles from './field.module.css'
import menuStyles from './menu.module.css'

export interface FoundChoice {
  readonly value: string
  readonly label: string
  readonly hint?: string
}

export interface FoundChoicesProps {
  readonly label: string
  readonly values: readonly string[]
  /** How a chosen value is shown. */
  readonly shown: (value: string) => ReactNode
  readonly nameOf: (value: string) => string
  readonly found: readonly FoundChoice[]
  readonly typed: string
  readonly placeholder?: string
  /** Said where nothing was found. */
  readonly noneFound: string
  readonly mistake?: string
  /** One alone, or any number. */
  readonly isSingle?: boolean
  readonly isRequired?: boolean
  removeLabel(name: string): string
  onType(text: string): void
  onChange(values: readonly string[]): void
}

/** Some of too many to list: those chosen stand in a row, and more are found by typing. */
export function FoundChoices(props: FoundChoicesProps) {
  const { label, values, shown, nameOf, found, typed, placeholder, mistake, isSingle = false, isRequired = false } = props
  const offered = found.filter(({ value }) => !values.includes(value))
  return (
    <div className={fieldStyles.field}>
      <ComboBox
        className={`${styles.search}`}
        items={offered}
        inputValue={typed}
        onInputChange={props.onType}
        selectedKey={null}
        onSelectionChange={(key) => {
          if (key === null) return
          props.onChange(isSingle ? [String(key)] : [...values, String(key)])
          props.onType('')
        }}
        // What is offered was found by what was typed, also where it says it in other words.
        defaultFilter={() => true}
        menuTrigger="input"
        // What is found comes after what is typed; where nothing is, there is nothing to unfold.
        allowsEmptyCollection={typed.trim() !== ''}
        isInvalid={mistake !== undefined}
        isRequired={isRequired}
        validationBehavior="aria"
      >
        <Label>{label}</Label>
        {values.length === 0 ? null : (
          <ul className={styles.chosen}>
            {values.map((value) => (
              <li key={value}>
                {shown(value)}
                <Button
                  look="quiet"
                  slot={null}
                  aria-label={props.removeLabel(nameOf(value))}
                  onPress={() => props.onChange(values.filter((one) => one !== value))}
                >
                  <X size={14} aria-hidden />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Input placeholder={placeholder} autoComplete="off" />
        <FieldError className={`${fieldStyles.mistake}`}>{mistake}</FieldError>
        <Popover className={`${styles.popover}`}>
          <ListBox<FoundChoice>
            className={`${menuStyles.list}`}
            renderEmptyState={() => <p className={styles.none}>{props.noneFound}</p>}
          >
            {({ value, label: name, hint }) => (
              <ListBoxItem id={value} textValue={name} className={`${menuStyles.item}`}>
                {name}
                {hint === undefined ? null : <small className={styles.hint}>{hint}</small>}
              </ListBoxItem>
            )}
          </ListBox>
        </Popover>
      </ComboBox>
    </div>
  )
}
