import { type FormEvent, useState } from 'react'
import type { UserProperties } from '../../api/administration/people.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from '../administration/detail.module.css'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useUserAdminWords } from './words.ts'

const fields = ['firstName', 'lastName', 'email', 'company'] as const
const longest = 1_000

export interface UserFormProps {
  /** Of somebody who is there; without it, somebody new. */
  readonly before?: { readonly [field: string]: unknown }
  readonly isPending: boolean
  /** Once it is stored, what is there is shown again. */
  onSubmit(properties: UserProperties, showStored: () => void): void
  onCancel?(): void
}

/** What an account says of somebody. Only what was changed is sent. */
export function UserForm({ before, isPending, onSubmit, onCancel }: UserFormProps) {
  const say = useUserAdminWords()
  const [changed, setChanged] = useState<{ readonly [field: string]: string }>({})
  const shown = (field: string) => changed[field] ?? textOf(before?.[field])
  const set = (field: string) => (text: string) => setChanged({ ...changed, [field]: text })
  const isNew = before === undefined
  const isComplete = !isNew || shown('username').trim() !== ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(changed, () => setChanged({}))
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={Object.keys(changed).length > 0} />
      {isNew ? (
        <TextField
          label={say('userName')}
          hint={say('userNameHint')}
          value={shown('username')}
          onChange={set('username')}
          maxLength={longest}
          isRequired
          autoFocus
        />
      ) : null}
      {fields.map((field) => (
        <TextField key={field} label={say(field)} value={shown(field)} onChange={set(field)} maxLength={longest} />
      ))}
      <TextField
        label={say(isNew ? 'password' : 'newPassword')}
        {...(!isNew && { hint: say('newPasswordHint') })}
        type="password"
        autoComplete="new-password"
        value={shown('password')}
        onChange={set('password')}
        maxLength={longest}
      />
      <DialogActions>
        {onCancel === undefined ? null : <Button onPress={onCancel}>{say('cancel')}</Button>}
        <Button look="main" type="submit" isDisabled={!isComplete || Object.keys(changed).length === 0} isPending={isPending}>
          {say(isNew ? 'create' : 'save')}
        </Button>
      </DialogActions>
    </form>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
