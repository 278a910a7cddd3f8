import { Link } from '@tanstack/react-router'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { createGroup, type Group, groupsWith } from '../../api/administration/people.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Message } from '../../ui/message.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { Beside, ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { GroupDetail } from './group-detail.tsx'
import { GroupForm } from './group-form.tsx'
import { useGroupAdminWords } from './words.ts'

const addressOf = (id: string) => `groups/${encodeURIComponent(id)}`

/** All groups, and who is in each. */
export function Screen() {
  const say = useGroupAdminWords()
  const columns = useGroupColumns()
  const { rest, search, goTo } = usePlace()
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      tools={
        <>
          <SearchField label={say('search')} />
          <NewGroup />
        </>
      }
    >
      <Beside
        list={
          <EntityList
            label={say('title')}
            pages={groupsWith(search.q ?? '')}
            columns={columns}
            keyOf={({ id }) => id}
            open={rest}
            onOpen={({ id }) => void goTo(addressOf(id), search)}
            counted={(count) => say('count', { count })}
            empty={
              <Message icon={UsersRound} title={say('none')}>
                <p>{say('noneHint')}</p>
              </Message>
            }
          />
        }
        detail={rest === '' ? undefined : <GroupDetail key={rest} name={rest} />}
      />
    </ScreenPage>
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
        <Link to="/admin/$" params={{ _splat: addressOf(id) }} search={(before) => before}>
          {grouplabel || id}
        </Link>
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

function NewGroup() {
  const say = useGroupAdminWords()
  const { search, goTo } = usePlace()
  const [isOpen, setOpen] = useState(false)
  const create = useAdministrationChange(({ id, properties }: { id: string; properties: { readonly [field: string]: string } }) =>
    createGroup(id, { properties }),
  )
  return (
    <>
      <Button look="main" onPress={() => setOpen(true)}>
        <Plus size={16} aria-hidden />
        {say('create')}
      </Button>
      <Dialog title={say('create')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <GroupForm
          isPending={create.isPending}
          onCancel={() => setOpen(false)}
          onSubmit={(id, properties) =>
            create.mutate(
              { id, properties },
              {
                onSuccess: (group) => {
                  setOpen(false)
                  tell({ text: say('made', { name: group.grouplabel || group.id }) })
                  void goTo(addressOf(group.id), search)
                },
              },
            )
          }
        />
      </Dialog>
    </>
  )
}
