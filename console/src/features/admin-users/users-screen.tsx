import { UserX } from 'lucide-react'
import { createUser, usersWith } from '../../api/administration/people.ts'
import { fullNameOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { CreateButton } from '../administration/create-button.tsx'
import { Register, RegisterLink, registerAddress } from '../administration/register.tsx'
import { SearchField } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { UserDetail } from './user-detail.tsx'
import { UserForm } from './user-form.tsx'
import { useUserAdminWords } from './words.ts'

const screen = 'users'

/** Everybody who can sign in. */
export function Screen() {
  const say = useUserAdminWords()
  const columns = useUserColumns()
  const { search } = usePlace()
  return (
    <Register
      screen={screen}
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <SearchField label={say('search')} />
          <CreateButton label={say('create')}>{(close) => <NewUser close={close} />}</CreateButton>
        </>
      }
      pages={usersWith(search.q ?? '')}
      columns={columns}
      keyOf={({ id }) => id}
      counted={(count) => say('count', { count })}
      empty={{ icon: UserX, title: say('none'), hint: say('noneHint') }}
      detail={(name) => <UserDetail key={name} name={name} />}
    />
  )
}

function useUserColumns(): readonly Column<User>[] {
  const say = useUserAdminWords()
  return [
    {
      id: 'name',
      label: say('name'),
      width: 'minmax(120px, 2fr)',
      render: (user) => (
        <RegisterLink screen={screen} of={user.id}>
          {fullNameOf(user)}
        </RegisterLink>
      ),
    },
    { id: 'userName', label: say('userName'), width: 'minmax(80px, 1fr)', render: ({ id }) => id },
    {
      id: 'email',
      label: say('email'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ properties }) => String(properties['email'] ?? ''),
    },
    {
      id: 'groups',
      label: say('groups'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ extendedGroups }) => extendedGroups.map(({ label }) => label).join(', '),
    },
  ]
}

function NewUser({ close }: { readonly close: () => void }) {
  const say = useUserAdminWords()
  const { search, goTo } = usePlace()
  const create = useAdministrationChange(createUser)
  return (
    <UserForm
      isPending={create.isPending}
      onCancel={close}
      onSubmit={(properties) =>
        create.mutate(properties, {
          onSuccess: (user) => {
            close()
            tell({ text: say('made', { name: fullNameOf(user) }) })
            void goTo(registerAddress(screen, user.id), search)
          },
        })
      }
    />
  )
}
