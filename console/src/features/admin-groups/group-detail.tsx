import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  changeGroup,
  changeSubgroups,
  deleteGroup,
  type Group,
  type GroupProperties,
  groupQuery,
} from '../../api/administration/people.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { tell } from '../../ui/toasts.tsx'
import { Detail, RemoveButton } from '../administration/detail.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
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
  const change = useAdministrationChange((properties: GroupProperties) => changeGroup(id, { properties }))
  const nest = useAdministrationChange((wanted: readonly string[]) => changeSubgroups(id, { before: memberGroups, wanted }))
  const tellSaved = () => tell({ text: say('saved') })
  return (
    <Detail title={grouplabel || id} id={id}>
      <Members group={id} />
      <Panel title={say('subgroups')}>
        <p className={styles.quiet}>{say('subgroupsHint')}</p>
        <GroupField
          label={say('subgroups')}
          values={memberGroups}
          left={[id]}
          onChange={(groups) => nest.mutate(groups, { onSuccess: tellSaved })}
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
          onSubmit={(_, changed, showStored) =>
            change.mutate(changed, {
              onSuccess: () => {
                showStored()
                tellSaved()
              },
            })
          }
        />
      </Panel>
    </Detail>
  )
}

function RemoveGroup({ group: { id, grouplabel } }: { readonly group: Group }) {
  const say = useGroupAdminWords()
  const name = grouplabel || id
  const words = {
    remove: say('remove'),
    title: say('removeTitle', { name }),
    sentence: say('removeSentence'),
    cancel: say('cancel'),
    removed: say('removed', { name }),
  }
  return <RemoveButton words={words} remove={() => deleteGroup(id)} />
}
