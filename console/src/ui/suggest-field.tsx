import type { LucideIcon } from 'lucide-react'
import { ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import styles from './field.module.css'
import menuStyles from './menu.module.css'

export interface Suggestion {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly icon?: LucideIcon
}

export interface SuggestFieldProps {
  readonly label: string
  /** For who cannot see what is around the field. */
  readonly isLabelHidden?: boolean
  readonly placeholder?: string
  readonly text: string
  onText(text: string): void
  readonly suggestions: readonly Suggestion[]
  onChoose(id: string): void
  /** Enter, with what was typed and is none of the suggestions. */
  onEnter?(text: string): void
  readonly mistake?: string
  readonly autoFocus?: boolean
  /** Suggests before anything is typed: where choosing is all that one came for. */
  readonly opensAtOnce?: boolean
  readonly longest?: number
}

/** A field that suggests as one types. */
export function SuggestField(props: SuggestFieldProps) {
  const { label, isLabelHidden = false, placeholder, text, onText, suggestions, onChoose, onEnter, mistake } = props
  const { autoFocus, opensAtOnce = false } = props
  return (
    <ComboBox
      className={styles.field ?? ''}
      items={suggestions}
      inputValue={text}
      onInputChange={onText}
      selectedKey={null}
      onSelectionChange={(key) => key !== null && onChoose(String(key))}
      allowsCustomValue
      allowsEmptyCollection={false}
      menuTrigger={opensAtOnce ? 'focus' : 'input'}
      defaultFilter={() => true}
      isInvalid={mistake !== undefined}
      validationBehavior="aria"
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {isLabelHidden ? null : <Label>{label}</Label>}
      <Input
        {...(placeholder !== undefined && { placeholder })}
        {...(props.longest !== undefined && { maxLength: props.longest })}
        {...(autoFocus && { autoFocus })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.currentTarget.getAttribute('aria-activedescendant')) return
          event.preventDefault()
          if (text.trim() !== '') onEnter?.(text.trim())
        }}
      />
      <FieldError className={styles.mistake ?? ''}>{mistake}</FieldError>
      <Popover>
        <ListBox<Suggestion> className={menuStyles.list ?? ''}>
          {({ id, label: name, hint, icon: Icon }) => (
            <ListBoxItem id={id} textValue={name} className={menuStyles.item ?? ''}>
              {Icon === undefined ? null : <Icon size={16} aria-hidden />}
              <span>{name}</span>
              {hint === undefined ? null : <span className={styles.hint}>{hint}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
