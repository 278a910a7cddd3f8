import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components'
import styles from './field.module.css'

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children'> {
  readonly label: string
  readonly hint?: string
  /** What is wrong with the value, as the server says it. */
  readonly mistake?: string
  readonly lines?: 'one' | 'several'
  readonly placeholder?: string
}

export function TextField({ label, hint, mistake, lines = 'one', placeholder, ...rest }: TextFieldProps) {
  return (
    <AriaTextField className={styles.field} isInvalid={mistake !== undefined} validationBehavior="aria" {...rest}>
      <Label>{label}</Label>
      {lines === 'one' ? <Input placeholder={placeholder} /> : <TextArea placeholder={placeholder} />}
      {hint === undefined ? null : (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.mistake}>{mistake}</FieldError>
    </AriaTextField>
  )
}
