import { UsersRound } from 'lucide-react'
import { createGroup, type Group, groupsWith } from '../../api/administration/people.ts'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { CreateButton } from '../administration/create-button.tsx'
import { Register, RegisterLink, registerAddress } from '../administration/register.tsx'
import { SearchField } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { GroupDetail } from './group-detail.tsx'
import { GroupForm } from './group-form.tsx'
import { useGroupAdminWords } from './words.ts'

const screen = 'groups'

/** All groups, and who is in each. */
export function Screen() {
  const say = useGroupAdminWords()
  const columns = useGroupColumns()
  const { search } = usePlace()
  return (
    <Register
      screen={screen}
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <SearchField label={say('search')} />
          <CreateButton label={say('create')}>{(close) => <NewGroup close={close} />}</CreateButton>
        </>
      }
      pages={groupsWith(search.q ?? '')}
      columns={columns}
      keyOf={({ id }) => id}
      counted={(count) => say('count', { count })}
      empty={{ icon: UsersRound, title: say('none'), hint: say('noneHint') }}
      detail={(name) => <GroupDetail key={name} name={name} />}
    />
  )
}

function useGroupColumns(): readonly Column<Group>[] {
  const say = useGroupAdminWords()
  return [
    {
      id: 'label',
      label: say('label'),
      width: 'minmax(120px, 2fr)',
      render: ({ id, grouplabel }) => (
        <RegisterLink screen={screen} of={id}>
          {grouplabel || id}
        </RegisterLink>
      ),
    },
    { id: 'name', label: say('name'), width: 'minmax(80px, 1fr)', render: ({ id }) => id },
    {
      id: 'description',
      label: say('description'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ properties }) => String(properties['description'] ?? ''),
    },
  ]
}

function NewGroup({ close }: { readonly close: () => void }) {
  const say = useGroupAdminWords()
  const { search, goTo } = usePlace()
  const create = useAdministrationChange(({ id, properties }: { id: string; properties: { readonly [field: string]: string } }) =>
    createGroup(id, { properties }),
  )
  return (
    <GroupForm
      isPending={create.isPending}
      onCancel={close}
      onSubmit={(id, properties) =>
        create.mutate(
          { id, properties },
          {
            onSuccess: (group) => {
              close()
              tell({ text: say('made', { name: group.grouplabel || group.id }) })
              void goTo(registerAddress(screen, group.id), search)
            },
          },
        )
      }
    />
  )
}
