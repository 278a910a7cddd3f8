import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { changePicture, changeProfile } from '../../api/account.ts'
import { meQuery } from '../../api/documents.ts'
import { fullNameOf, profileOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { LeaveQuestion } from '../forms/leave-question.tsx'
import { Person } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './profile.module.css'
import { useAccountChange } from './use-account-change.ts'
import { useProfileWords } from './words.ts'

/** Who one is here, and what one adds to it oneself. */
export function AccountSection() {
  const query = useQuery(meQuery)
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(me) => (
        <>
          <Picture me={me} />
          <Facts me={me} />
          <Phone key={me.id} me={me} />
        </>
      )}
    </Shown>
  )
}

function Picture({ me }: { readonly me: User }) {
  const say = useProfileWords()
  const chooser = useRef<HTMLInputElement>(null)
  const change = useAccountChange(changePicture)
  const remove = useAccountChange(() => changeProfile({ 'userprofile:avatar': null }))
  return (
    <div className={styles.line}>
      <span className={styles.who}>
        <Person reference={me.id} size="large" isNamed={false} />
        <strong>{fullNameOf(me)}</strong>
      </span>
      <input
        ref={chooser}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={say('picture')}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) change.mutate(file)
          target.value = ''
        }}
      />
      <span className={styles.buttons}>
        <Button onPress={() => chooser.current?.click()} isPending={change.isPending}>
          {say('changePicture')}
        </Button>
        {profileOf(me).avatar ? (
          <Button look="quiet" onPress={() => remove.mutate()} isPending={remove.isPending}>
            {say('removePicture')}
          </Button>
        ) : null}
      </span>
    </div>
  )
}

function Facts({ me }: { readonly me: User }) {
  const say = useProfileWords()
  const { email, company } = me.properties as { email?: string | null; company?: string | null }
  const facts = [
    ['userName', me.id],
    ['email', email],
    ['company', company],
    ['groups', me.extendedGroups.map(({ label, name }) => label || name).join(', ')],
  ] as const
  return (
    <>
      <FactList>
        {facts
          .filter(([, value]) => value)
          .map(([word, value]) => [<dt key={word}>{say(word)}</dt>, <dd key={`${word}-value`}>{value}</dd>])}
      </FactList>
      <p className={styles.quiet}>{say('accountHint')}</p>
    </>
  )
}

function Phone({ me }: { readonly me: User }) {
  const say = useProfileWords()
  const stored = profileOf(me).phonenumber ?? ''
  const [phone, setPhone] = useState(stored)
  const change = useAccountChange((value: string) => changeProfile({ 'userprofile:phonenumber': value === '' ? null : value }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate(phone.trim(), { onSuccess: () => tell({ text: say('saved') }) })
  }
  return (
    <form className={styles.row} onSubmit={submit}>
      <LeaveQuestion isAsked={phone.trim() !== stored} />
      <TextField label={say('phone')} type="tel" value={phone} onChange={setPhone} maxLength={100} autoComplete="tel" />
      <Button type="submit" isDisabled={phone.trim() === stored} isPending={change.isPending}>
        {say('save')}
      </Button>
    </form>
  )
}
