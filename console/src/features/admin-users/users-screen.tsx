import { Link } from '@tanstack/react-router'
import { Plus, UserX } from 'lucide-react'
import { useState } from 'react'
import { createUser, usersWith } from '../../api/administration/people.ts'
import { fullNameOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { Beside, ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { UserDetail } from './user-detail.tsx'
import { UserForm } from './user-form.tsx'
import { useUserAdminWords } from './words.ts'

/** Everybody who can sign in. */
export function Screen() {
  const say = useUserAdminWords()
  const columns = useUserColumns()
  const { rest, search, goTo } = usePlace()
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <SearchField label={say('search')} />
          <NewUser />
        </>
      }
    >
      <Beside
        list={
          <EntityList
            label={say('title')}
            pages={usersWith(search['q'] ?? '')}
            columns={columns}
            keyOf={({ id }) => id}
            open={rest}
            onOpen={({ id }) => void goTo(`users/${encodeURIComponent(id)}`, search)}
            counted={(count) => say('count', { count })}
            empty={
              <Message icon={UserX} title={say('none')}>
                <p>{say('noneHint')}</p>
              </Message>
            }
          />
        }
        detail={rest === '' ? undefined : <UserDetail key={rest} name={rest} />}
      />
    </ScreenPage>
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
        <Link to="/admin/$" params={{ _splat: `users/${encodeURIComponent(user.id)}` }} search={(before) => before}>
          {fullNameOf(user)}
        </Link>
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

function NewUser() {
  const say = useUserAdminWords()
  const { search, goTo } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const create = useAdministrationChange(createUser)
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('create')}
      </Button>
      <Dialog title={say('create')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <UserForm
          isPending={create.isPending}
          onCancel={() => setOpen(false)}
          onSubmit={(properties) =>
            create.mutate(properties, {
              onSuccess: (user) => {
                setOpen(false)
                tell({ text: say('made', { name: fullNameOf(user) }) })
                void goTo(`users/${encodeURIComponent(user.id)}`, search)
              },
            })
          }
        />
      </Dialog>
    </>
  )
}
