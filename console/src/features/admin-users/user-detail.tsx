import { useQuery } from '@tanstack/react-query'
import { changeUser, deleteUser, type UserProperties, userQuery } from '../../api/administration/people.ts'
import { fullNameOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { Shown } from '../problems/shown.tsx'
import { Memberships } from './memberships.tsx'
import { UserForm } from './user-form.tsx'
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
    <Detail title={fullNameOf(user)} id={user.id} badge={user.isAdministrator ? say('administrator') : undefined}>
      <Panel title={say('groups')}>
        <Memberships user={user.id} />
      </Panel>
      <Panel title={say('account')} actions={<RemoveUser user={user} />}>
        <UserForm
          before={user.properties}
          isPending={change.isPending}
          onSubmit={(properties, showStored) =>
            change.mutate(properties, {
              onSuccess: () => {
                showStored()
                tell({ text: say('saved') })
              },
            })
          }
        />
      </Panel>
    </Detail>
  )
}

function RemoveUser({ user }: { readonly user: User }) {
  const say = useUserAdminWords()
  const name = fullNameOf(user)
  const words = {
    remove: say('remove'),
    title: say('removeTitle', { name }),
    sentence: say('removeSentence'),
    cancel: say('cancel'),
    removed: say('removed', { name }),
  }
  return <RemoveButton words={words} remove={() => deleteUser(user.id)} />
}
