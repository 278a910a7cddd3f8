import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { changeGroup, deleteGroup, type Group, groupQuery } from '../../api/admin-people.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { Shown } from '../problems/shown.tsx'
import { GroupField } from './group-field.tsx'
import { GroupForm } from './group-form.tsx'
import styles from './groups.module.css'
import { Members } from './members.tsx'
import { useGroupAdminWords } from './words.ts'

export function GroupDetail({ name }: { readonly name: string }) {
  return (
    <Shown query={useQuery(groupQuery(name))} waiting={<Skeleton />}>
      {(group) => <Whole group={group} />}
    </Shown>
  )
}

function Whole({ group }: { readonly group: Group }) {
  const say = useGroupAdminWords()
  const { id, grouplabel, properties, memberGroups = [], parentGroups = [] } = group
  const change = useAdministrationChange((wanted: Parameters<typeof changeGroup>[1]) => changeGroup(id, wanted))
  const saved = { onSuccess: () => tell({ text: say('saved') }) }
  return (
    <div className={styles.detail}>
      <header>
        <h2>{grouplabel || id}</h2>
        <span className={styles.quiet}>{id}</span>
      </header>
      <Members group={id} />
      <Panel title={say('subgroups')}>
        <p className={styles.quiet}>{say('subgroupsHint')}</p>
        <GroupField
          label={say('subgroups')}
          values={memberGroups}
          left={[id]}
          onChange={(groups) => change.mutate({ memberGroups: groups }, saved)}
        />
      </Panel>
      {parentGroups.length === 0 ? null : (
        <Panel title={say('parents')}>
          <p className={styles.chips}>
            {parentGroups.map((parent) => (
              <Link key={parent} to="/admin/$" params={{ _splat: `groups/${encodeURIComponent(parent)}` }}>
                {parent}
              </Link>
            ))}
          </p>
        </Panel>
      )}
      <Panel title={say('group')} actions={<RemoveGroup group={group} />}>
        <GroupForm
          before={properties}
          isPending={change.isPending}
          onSubmit={(_, changed) => change.mutate({ properties: changed }, saved)}
        />
      </Panel>
    </div>
  )
}

function RemoveGroup({ group: { id, grouplabel } }: { readonly group: Group }) {
  const say = useGroupAdminWords()
  const { screen, search, goTo } = usePlace()
  const [isAsked, setAsked] = useState(false)
  const name = grouplabel || id
  const remove = useAdministrationChange(async () => {
    await deleteGroup(id)
    await goTo(screen, search)
    tell({ text: say('removed', { name }) })
  })
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
        onConfirm={() => remove.mutate(undefined, { onError: () => setAsked(false) })}
      />
    </>
  )
}
