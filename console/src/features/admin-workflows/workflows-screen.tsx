import { useQuery } from '@tanstack/react-query'
import { Workflow as WorkflowIcon } from 'lucide-react'
import { instanceStates, instancesLike } from '../../api/administration/workflow-instances.ts'
import { modelsQuery } from '../../api/workflow.ts'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Segments } from '../../ui/segments.tsx'
import { useLanguage } from '../../words/words.ts'
import { EntityList } from '../administration/entity-list.tsx'
import { Beside, ScreenPage } from '../administration/screen-page.tsx'
import { usePlace } from '../administration/use-place.ts'
import { useInstanceColumns } from './instance-columns.tsx'
import { InstanceDetail } from './instance-detail.tsx'
import { Models } from './models.tsx'
import { Stuck } from './stuck.tsx'
import { useAdminWorkflowWords } from './words.ts'

const views = ['instances', 'stuck', 'models'] as const

/** What can be started, what is under way for everybody, and what of it does not go on. */
export function Screen() {
  const say = useAdminWorkflowWords()
  const { rest, search, screen, goTo } = usePlace()
  const view = views.find((one) => one === search.show) ?? 'instances'
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      flows={view === 'models'}
      tools={
        <>
          {view === 'instances' ? <Filters /> : null}
          <Segments
            label={say('view')}
            selected={view}
            options={views.map((id) => ({ id, label: say(id) }))}
            onSelect={(show) => void goTo(screen, show === 'instances' ? {} : { show })}
          />
        </>
      }
    >
      {view === 'models' ? (
        <Models />
      ) : (
        <Beside
          list={view === 'stuck' ? <Stuck open={rest} /> : <Instances open={rest} />}
          detail={rest === '' ? undefined : <InstanceDetail key={rest} id={rest} />}
        />
      )}
    </ScreenPage>
  )
}

function Filters() {
  const say = useAdminWorkflowWords()
  const { search, change } = usePlace()
  const { data: models = [] } = useQuery(modelsQuery(useLanguage()))
  return (
    <>
      <Choice
        label={say('model')}
        value={search.kind ?? ''}
        options={[
          { value: '', label: say('anyModel') },
          ...models.map(({ workflowModelName, title, name }) => ({ value: workflowModelName, label: title ?? name })),
        ]}
        onChange={(kind) => change({ kind: kind || undefined })}
      />
      <Choice
        label={say('state')}
        value={search.state ?? ''}
        options={[
          { value: '', label: say('anyState') },
          ...instanceStates.map((state) => ({ value: state as string, label: say(state) })),
        ]}
        onChange={(state) => change({ state: state || undefined })}
      />
    </>
  )
}

function Instances({ open }: { readonly open: string }) {
  const say = useAdminWorkflowWords()
  const { search, screen, goTo } = usePlace()
  const columns = useInstanceColumns()
  const state = instanceStates.find((one) => one === search.state)
  return (
    <EntityList
      label={say('title')}
      pages={instancesLike({ model: search.kind, state }, useLanguage())}
      columns={columns}
      keyOf={({ workflow }) => workflow.id}
      open={open}
      onOpen={({ workflow }) => void goTo(`${screen}/${workflow.id}`, search)}
      counted={(count) => say('count', { count })}
      rowHeight={56}
      empty={
        <Message icon={WorkflowIcon} title={say('none')}>
          <p>{say('noneHint')}</p>
        </Message>
      }
    />
  )
}
