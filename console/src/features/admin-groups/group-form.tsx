import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { DialogActions } from '../../ui/dialog/dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import styles from '../administration/detail.module.css'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { useGroupAdminWords } from './words.ts'

export interface GroupFormProps {
  /** Of one that is there; without it, a new one. */
  readonly before?: { readonly [field: string]: unknown }
  readonly isPending: boolean
  /** Once it is stored, what is there is shown again. */
  onSubmit(id: string, properties: { readonly [field: string]: string }, showStored: () => void): void
  onCancel?(): void
}

export function GroupForm({ before, isPending, onSubmit, onCancel }: GroupFormProps) {
  const say = useGroupAdminWords()
  const [id, setId] = useState('')
  const [changed, setChanged] = useState<{ readonly [field: string]: string }>({})
  const textIn = (field: string) => changed[field] ?? (typeof before?.[field] === 'string' ? (before[field] as string) : '')
  const set = (field: string) => (text: string) => setChanged({ ...changed, [field]: text })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit(id.trim(), changed, () => setChanged({}))
  }
  const isNew = before === undefined
  const isReady = isNew ? id.trim() !== '' : Object.keys(changed).length > 0
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={id !== '' || Object.keys(changed).length > 0} />
      {isNew ? (
        <TextField label={say('name')} hint={say('nameHint')} value={id} onChange={setId} maxLength={200} isRequired autoFocus />
      ) : null}
      <TextField label={say('label')} value={textIn('grouplabel')} onChange={set('grouplabel')} maxLength={1_000} />
      <TextField label={say('description')} value={textIn('description')} onChange={set('description')} maxLength={1_000} />
      <DialogActions>
        {onCancel === undefined ? null : <Button onPress={onCancel}>{say('cancel')}</Button>}
        <Button look="main" type="submit" isDisabled={!isReady} isPending={isPending}>
          {say(isNew ? 'create' : 'save')}
        </Button>
      </DialogActions>
    </form>
  )
}
