import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeUser, deleteUser, type UserProperties, userQuery } from '../../api/admin-people.ts'
import { fullNameOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { Memberships } from './memberships.tsx'
import { UserForm } from './user-form.tsx'
import styles from './users.module.css'
import { useUserAdminWords } from './words.ts'

/** One account: what it says, and what it may be given. */
export function UserDetail({ name }: { readonly name: string }) {
  return (
    <Shown query={useQuery(userQuery(name))} waiting={<Skeleton />}>
      {(user) => <Account user={user} />}
    </Shown>
  )
}

function Account({ user }: { readonly user: User }) {
  const say = useUserAdminWords()
  const change = useAdministrationChange((properties: UserProperties) => changeUser(user.id, properties))
  return (
    <div className={styles.detail}>
      <header>
        <div className={styles.who}>
          <h2>{fullNameOf(user)}</h2>
          {user.isAdministrator ? <span className={styles.badge}>{say('administrator')}</span> : null}
        </div>
        <span className={styles.quiet}>{user.id}</span>
      </header>
      <Panel title={say('groups')}>
        <Memberships user={user.id} />
      </Panel>
      <Panel title={say('account')} actions={<RemoveUser user={user} />}>
        <UserForm
          before={user.properties}
          isPending={change.isPending}
          onSubmit={(properties) => change.mutate(properties, { onSuccess: () => tell({ text: say('saved') }) })}
        />
      </Panel>
    </div>
  )
}

function RemoveUser({ user }: { readonly user: User }) {
  const say = useUserAdminWords()
  const { screen, search, goTo } = usePlace()
  const [isAsked, setAsked] = useState(false)
  // The list is shown before everything is asked for anew: of who is gone there is nothing to ask.
  const remove = useAdministrationChange(async (id: string) => {
    await deleteUser(id)
    await goTo(screen, search)
    tell({ text: say('removed', { name }) })
  })
  const name = fullNameOf(user)
  return (
    <>
      <Button look="quiet" onPress={() => setAsked(true)}>
        {say('remove')}
      </Button>
      <Confirm
        title={say('removeTitle', { name })}
        sentence={say('removeSentence')}
        words={{ confirm: say('remove'), cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={remove.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => remove.mutate(user.id, { onError: () => setAsked(false) })}
      />
    </>
  )
}
