import { type FormEvent, useState } from 'react'
import { changePassword } from '../../api/account.ts'
import { Problem } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import styles from './profile.module.css'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

const empty = { old: '', next: '', again: '' }

export function PasswordSection() {
  const say = useProfileWords()
  const [typed, setTyped] = useState(empty)
  const [mistake, setMistake] = useState<{ readonly field: keyof typeof empty; readonly text: string }>()
  const change = useAccountChange(changePassword)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.next !== typed.again) return setMistake({ field: 'again', text: say('unlike') })
    setMistake(undefined)
    change.mutate(
      { oldPassword: typed.old, newPassword: typed.next },
      {
        onSuccess: () => {
          setTyped(empty)
          tell({ text: say('passwordChanged') })
        },
        onError: (error) =>
          setMistake({ field: error instanceof Problem && error.status === 401 ? 'old' : 'next', text: error.message }),
      },
    )
  }
  const field = (name: keyof typeof empty, label: string, autoComplete: string) => (
    <TextField
      label={label}
      type="password"
      value={typed[name]}
      onChange={(value) => setTyped({ ...typed, [name]: value })}
      autoComplete={autoComplete}
      mistake={mistake?.field === name ? mistake.text : undefined}
      maxLength={1_000}
    />
  )
  return (
    <form className={styles.form} onSubmit={submit}>
      {field('old', say('oldPassword'), 'current-password')}
      {field('next', say('newPassword'), 'new-password')}
      {field('again', say('repeat'), 'new-password')}
      <p className={styles.quiet}>{say('passwordHint')}</p>
      <div>
        <Button type="submit" isPending={change.isPending} isDisabled={Object.values(typed).includes('')}>
          {say('changePassword')}
        </Button>
      </div>
    </form>
  )
}
