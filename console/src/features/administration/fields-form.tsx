import { type FormEvent, useState } from 'react'
import { Problem } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import styles from './detail.module.css'

/** A line of a form; a flag is ticked, and a secret is typed and never shown. */
export interface FormField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly kind?: 'text' | 'lines' | 'secret' | 'flag'
  readonly isRequired?: boolean
  readonly longest?: number
}

export type FormValues = { readonly [name: string]: string | boolean }

export interface FieldsFormProps {
  readonly fields: readonly FormField[]
  /** What there is; absent for something new. */
  readonly before?: FormValues
  /** With which the last attempt was refused, and the field that each sentence is about. */
  readonly error?: Error | null
  readonly mistakes?: readonly (readonly [RegExp, string])[]
  readonly isPending: boolean
  readonly words: { readonly submit: string; readonly cancel: string }
  /** Only what was changed; once that is stored, what is there is shown again. */
  onSubmit(changed: FormValues, showStored: () => void): void
  onCancel?(): void
}

const usualLongest = 400

/** What somebody says of something, line by line, with what is wrong beside its line. */
export function FieldsForm(props: FieldsFormProps) {
  const { fields, before = {}, error = null, mistakes = [], isPending, words, onSubmit, onCancel } = props
  const [changed, setChanged] = useState<FormValues>({})
  const textOf = (name: string) => String(changed[name] ?? before[name] ?? '')
  const set = (name: string) => (value: string | boolean) => setChanged({ ...changed, [name]: value })
  const wrong = fieldOf(error, mistakes)
  const isComplete = fields.every(({ name, isRequired = false }) => !isRequired || textOf(name).trim() !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(changed, () => setChanged({}))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={Object.keys(changed).length > 0} />
      {fields.map(({ name, label, hint, kind = 'text', isRequired = false, longest = usualLongest }, index) =>
        kind === 'flag' ? (
          <label key={name}>
            <input
              type="checkbox"
              checked={(changed[name] ?? before[name]) === true}
              onChange={({ target }) => set(name)(target.checked)}
            />{' '}
            {label}
          </label>
        ) : (
          <TextField
            key={name}
            label={label}
            value={textOf(name)}
            onChange={set(name)}
            maxLength={longest}
            isRequired={isRequired}
            autoFocus={onCancel !== undefined && index === 0}
            {...(hint !== undefined && { hint })}
            {...(wrong === name && error !== null && { mistake: error.message })}
            {...(kind === 'lines' && { lines: 'several' as const })}
            {...(kind === 'secret' && { type: 'password', autoComplete: 'new-password' })}
          />
        ),
      )}
      <DialogActions>
        {onCancel === undefined ? null : <Button onPress={onCancel}>{words.cancel}</Button>}
        <Button look="main" type="submit" isDisabled={!isComplete || Object.keys(changed).length === 0} isPending={isPending}>
          {words.submit}
        </Button>
      </DialogActions>
    </form>
  )
}

/** The field that a refusal is about. */
export function fieldOf(error: Error | null, mistakes: readonly (readonly [RegExp, string])[]): string | undefined {
  if (!(error instanceof Problem) || error.status >= 500 || error.isOffline) return undefined
  return mistakes.find(([sentence]) => sentence.test(error.message))?.[1]
}
