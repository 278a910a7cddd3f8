import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { GripVertical, Plus, X } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Button as AriaButton, GridList, GridListItem, useDragAndDrop } from 'react-aria-components'
import { administrationKeys, type EntityPages } from '../../api/administration/entity-pages.ts'
import { addMember, membersOf, removeMember, usersWith } from '../../api/administration/people.ts'
import { fullNameOf } from '../../api/people.ts'
import type { User } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import styles from './groups.module.css'
import { useGroupAdminWords } from './words.ts'

const draggedType = 'application/x-quire-user'

/** Who is in a group by themselves, and beside that those who can be dragged there or added by their button. */
export function Members({ group }: { readonly group: string }) {
  const say = useGroupAdminWords()
  const [term, setTerm] = useState('')
  const [wanted, setWanted] = useState('')
  const members = useFirstPage(membersOf(group, useDeferredValue(term)))
  const people = useFirstPage(usersWith(useDeferredValue(wanted)))
  const add = useAdministrationChange(addMember)
  const remove = useAdministrationChange(removeMember)
  const addAll = (users: readonly string[]) => {
    for (const user of users)
      add.mutate({ group, user }, { onSuccess: (added) => tell({ text: say('added', { name: fullNameOf(added) }) }) })
  }
  const { dragAndDropHooks: dropping } = useDragAndDrop({
    acceptedDragTypes: [draggedType],
    getDropOperation: () => 'copy',
    onRootDrop: async ({ items }) => {
      const names = items.map((item) => (item.kind === 'text' ? item.getText(draggedType) : undefined))
      addAll((await Promise.all(names)).filter((name) => name !== undefined))
    },
  })
  const { dragAndDropHooks: dragging } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ [draggedType]: String(key), 'text/plain': String(key) })),
  })
  const entries = members?.entries ?? []
  const others = (people?.entries ?? []).filter(({ id }) => !entries.some((member) => member.id === id))
  return (
    <div className={styles.sides}>
      <section className={styles.side}>
        <h3>{members === undefined ? say('members') : say('membersCount', { count: members.resultsCount })}</h3>
        <TextField label={say('findMember')} type="search" value={term} onChange={setTerm} maxLength={200} />
        <GridList
          className={styles.people ?? ''}
          aria-label={say('members')}
          items={entries}
          dragAndDropHooks={dropping}
          renderEmptyState={() => <p className={styles.none}>{say('noMembers')}</p>}
        >
          {(user) => (
            <Person user={user} canDrag={false}>
              <Button
                look="quiet"
                aria-label={say('takeOut', { name: fullNameOf(user) })}
                onPress={() => remove.mutate({ group, user: user.id })}
              >
                <X size={14} aria-hidden />
              </Button>
            </Person>
          )}
        </GridList>
        <p className={styles.quiet}>{say('membersHint')}</p>
      </section>
      <section className={styles.side}>
        <h3>{say('people')}</h3>
        <TextField label={say('findPeople')} type="search" value={wanted} onChange={setWanted} maxLength={200} />
        <GridList
          className={styles.people ?? ''}
          aria-label={say('people')}
          items={others}
          selectionMode="multiple"
          dragAndDropHooks={dragging}
          renderEmptyState={() => <p className={styles.none}>{say('nobody')}</p>}
        >
          {(user) => (
            <Person user={user} canDrag>
              <Button look="quiet" aria-label={say('add', { name: fullNameOf(user) })} onPress={() => addAll([user.id])}>
                <Plus size={14} aria-hidden />
              </Button>
            </Person>
          )}
        </GridList>
      </section>
    </div>
  )
}

function Person({ user, canDrag, children }: { readonly user: User; readonly canDrag: boolean; readonly children: ReactNode }) {
  const name = fullNameOf(user)
  return (
    <GridListItem id={user.id} textValue={name} className={styles.one ?? ''}>
      {canDrag ? (
        <AriaButton slot="drag" className={styles.handle ?? ''}>
          <GripVertical size={14} aria-hidden />
        </AriaButton>
      ) : null}
      <span className={styles.name}>
        {name} {name === user.id ? null : <small className={styles.quiet}>{user.id}</small>}
      </span>
      {children}
    </GridListItem>
  )
}

/** Whoever is not among the first is found by name. */
function useFirstPage<Row>({ key, fetch }: EntityPages<Row>) {
  const { data } = useQuery({
    queryKey: [...administrationKeys.all, ...key, 0],
    queryFn: ({ signal }) => fetch(0, signal),
    placeholderData: keepPreviousData,
  })
  return data
}
