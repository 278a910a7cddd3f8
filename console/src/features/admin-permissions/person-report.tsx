import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { UserSearch, Users } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { administrationKeys, type EntityPages } from '../../api/administration/entity-pages.ts'
import { groupsWith, usersWith } from '../../api/administration/people.ts'
import { type GrantedPlace, placesOf, subjectQuery } from '../../api/administration/permission-report.ts'
import { fullNameOf } from '../../api/people.ts'
import { FoundChoices } from '../../ui/found-choices.tsx'
import { Message } from '../../ui/message.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { usePlace } from '../administration/use-place.ts'
import { usePeopleWords } from '../people/words.ts'
import styles from './permission-report.module.css'
import { Entry } from './reason.tsx'
import { usePermissionReportWords } from './words.ts'

/** Where a person, or a group of theirs, was given or denied something. */
export function PersonReport() {
  const say = usePermissionReportWords()
  const { search, change, goTo } = usePlace()
  const { user = '' } = search
  const columns = usePlaceColumns()
  return (
    <div className={styles.report}>
      <div className={styles.question}>
        <Who key={user} name={user} onChoose={(name) => change({ user: name || undefined })} />
      </div>
      {user === '' ? (
        <Message icon={UserSearch} title={say('askPerson')}>
          <p>{say('askPersonHint')}</p>
        </Message>
      ) : (
        <div className={styles.places}>
          <Subject name={user} />
          <EntityList
            key={user}
            label={say('title')}
            pages={placesOf(user)}
            columns={columns}
            keyOf={({ place }) => place.uid}
            onOpen={({ place }) => void goTo('permissions', { kind: 'document', q: place.uid })}
            counted={(count) => say('placesCount', { count })}
            empty={<Message icon={Users} title={say('noPlaces')} />}
          />
        </div>
      )}
    </div>
  )
}

/** Who it is that the report is about. */
function Subject({ name }: { readonly name: string }) {
  const say = usePermissionReportWords()
  const { data } = useQuery(subjectQuery(name))
  if (data === undefined) return null
  return (
    <header className={styles.part}>
      <h2>{data.label}</h2>
      <p className={styles.quiet}>{data.isAdministrator ? say('everywhere') : say('names', { names: data.names.join(', ') })}</p>
    </header>
  )
}

function usePlaceColumns(): readonly Column<GrantedPlace>[] {
  const say = usePermissionReportWords()
  return [
    {
      id: 'place',
      label: say('place'),
      width: 'minmax(120px, 2fr)',
      render: ({ place }) => (
        <Link
          to="/admin/$"
          params={{ _splat: 'permissions' }}
          search={{ kind: 'document', q: place.uid }}
          title={say('report', { name: place.title })}
          tabIndex={-1}
        >
          {place.path ?? place.title}
        </Link>
      ),
    },
    {
      id: 'what',
      label: say('what'),
      width: 'minmax(0, 2fr)',
      render: ({ aces }) =>
        aces.map((ace, index) => (
          <span key={ace.id}>
            {index === 0 ? null : ', '}
            <Entry ace={ace} />
          </span>
        )),
    },
    {
      id: 'canRead',
      label: say('canRead'),
      width: '112px',
      isMinor: true,
      render: ({ canRead }) => say(canRead ? 'yes' : 'no'),
    },
  ]
}

function Who({ name, onChoose }: { readonly name: string; onChoose(name: string): void }) {
  const say = usePermissionReportWords()
  const sayPeople = usePeopleWords()
  const { data: subject } = useQuery({ ...subjectQuery(name), enabled: name !== '' })
  const [typed, setTyped] = useState('')
  const term = useDeferredValue(typed.trim())
  const users = useFirst(usersWith(term), term !== '')
  const groups = useFirst(groupsWith(term), term !== '')
  const found = [
    ...users.map((user) => ({ value: user.id, label: fullNameOf(user) })),
    ...groups.map(({ id, grouplabel }) => ({ value: id, label: grouplabel || id })),
  ]
  return (
    <FoundChoices
      label={say('person')}
      values={name === '' ? [] : [name]}
      shown={(value) => subject?.label ?? value}
      nameOf={(value) => subject?.label ?? value}
      found={term === '' ? [] : found}
      typed={typed}
      placeholder={sayPeople('type')}
      noneFound={sayPeople(term === '' ? 'type' : 'nobody')}
      removeLabel={(one) => sayPeople('remove', { name: one })}
      onType={setTyped}
      onChange={(values) => onChoose(values.at(-1) ?? '')}
    />
  )
}

const suggested = 8

function useFirst<Row>({ key, fetch }: EntityPages<Row>, enabled: boolean): readonly Row[] {
  const { data } = useQuery({
    queryKey: [...administrationKeys.all, ...key, 0],
    queryFn: ({ signal }) => fetch(0, signal),
    enabled,
    placeholderData: keepPreviousData,
  })
  return (data?.entries ?? []).slice(0, suggested)
}
