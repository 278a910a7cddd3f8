import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { createToken, type NewToken, revokeToken, type Token, tokensQuery } from '../../api/account.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog/dialog.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useFormats } from '../../words/formats.ts'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './profile.module.css'
import { RevokeButton } from './revoke-button.tsx'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

/** What programs sign in with for one. */
export function TokensSection() {
  const say = useProfileWords()
  const query = useQuery(tokensQuery)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p className={styles.quiet}>{say('tokensHint')}</p>
      <Shown query={query} waiting={<Skeleton />}>
        {(tokens) =>
          tokens.length === 0 ? (
            <p>{say('noTokens')}</p>
          ) : (
            <ul className={styles.list}>
              {tokens.map((token) => (
                <Line key={token.id} token={token} />
              ))}
            </ul>
          )
        }
      </Shown>
      <div>
        <Button onPress={() => setOpen(true)}>
          <Plus size={16} aria-hidden />
          {say('newToken')}
        </Button>
      </div>
      <Dialog title={say('newToken')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewTokenForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Line({ token }: { readonly token: Token }) {
  const say = useProfileWords()
  const { date } = useFormats()
  return (
    <li>
      <KeyRound size={20} strokeWidth={1.5} aria-hidden />
      <span className={styles.about}>
        <strong>{token.application}</strong>
        <span className={styles.quiet}>
          {[token.deviceDescription, say('made', { date: date(token.creationDate) })].filter(Boolean).join(' · ')}
        </span>
      </span>
      <RevokeButton name={token.application} revoke={() => revokeToken(token.id)} />
    </li>
  )
}

function NewTokenForm({ onClose }: { onClose(): void }) {
  const say = useProfileWords()
  const [application, setApplication] = useState('')
  const [device, setDevice] = useState('')
  const create = useAccountChange((wanted: NewToken) => createToken(wanted))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate({ application: application.trim(), deviceDescription: device.trim() })
  }
  if (create.data !== undefined) {
    const words = {
      label: say('tokenMade'),
      hint: say('tokenMadeHint'),
      copy: say('copy'),
      copied: say('copied'),
      close: say('close'),
    }
    return <ShownOnce secret={create.data} words={words} onClose={onClose} />
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <LeaveQuestion isAsked={application !== '' || device !== ''} />
      <TextField label={say('application')} value={application} onChange={setApplication} maxLength={200} autoFocus isRequired />
      <TextField label={say('device')} value={device} onChange={setDevice} maxLength={1_000} />
      <DialogActions>
        <Button onPress={onClose}>{say('cancel')}</Button>
        <Button look="main" type="submit" isDisabled={application.trim() === ''} isPending={create.isPending}>
          {say('create')}
        </Button>
      </DialogActions>
    </form>
  )
}
