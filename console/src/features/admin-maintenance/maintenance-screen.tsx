import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  isUnderWay,
  type MaintenanceTask,
  maintenanceQuery,
  startMaintenance,
  stopMaintenance,
} from '../../api/administration/server-state.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { ScreenPage } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { spelledOut } from '../documents/type-words.ts'
import { PersonName } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './maintenance.module.css'
import { Outcome } from './outcome.tsx'
import { isKnownTask, useMaintenanceWords } from './words.ts'

/** Work on everything that the server keeps: started here, watched, and stopped. */
export function Screen() {
  const say = useMaintenanceWords()
  return (
    <ScreenPage title={say('title')} hint={say('hint')} flows>
      <Shown query={useQuery(maintenanceQuery)} waiting={<Skeleton />}>
        {(tasks) => (
          <div className={styles.page}>
            {tasks.map((task) => (
              <Task key={task.name} task={task} />
            ))}
          </div>
        )}
      </Shown>
    </ScreenPage>
  )
}

function Task({ task }: { readonly task: MaintenanceTask }) {
  const say = useMaintenanceWords()
  const { name } = task
  const title = isKnownTask(name) ? say(name) : spelledOut(name)
  return (
    <Panel
      title={title}
      actions={isUnderWay(task) ? <StopButton task={task} title={title} /> : <StartButton task={task} title={title} />}
    >
      <div className={styles.task}>
        {isKnownTask(name) ? <p className={styles.quiet}>{say(`${name}Hint`)}</p> : null}
        <Standing task={task} title={title} />
        {task.problem === null ? null : (
          <p className={styles.problem} role="alert">
            {task.problem}
          </p>
        )}
        <Outcome task={task} />
      </div>
    </Panel>
  )
}

/** How far it is, or when it was last done. */
function Standing({ task, title }: { readonly task: MaintenanceTask; readonly title: string }) {
  const say = useMaintenanceWords()
  const { moment, number } = useFormats()
  const { state, asked, by, ended, done, total } = task
  if (state === 'never') return <p>{say('never')}</p>
  if (state === 'waiting' || state === 'running')
    return (
      <div className={styles.progress}>
        <progress value={done} max={Math.max(1, total)} aria-label={title} />
        <span role="status">
          {state === 'waiting' ? say('waiting') : say('progress', { done: number(done), total: number(Math.max(done, total)) })}
        </span>
      </div>
    )
  return (
    <p>
      {say(state, { moment: moment(ended ?? asked) })}{' '}
      <span className={styles.quiet}>
        {say('startedBy')} <PersonName reference={by ?? ''} />
      </span>
    </p>
  )
}

interface ButtonProps {
  readonly task: MaintenanceTask
  readonly title: string
}

/** What removes something is asked about first. */
function StartButton({ task: { name }, title }: ButtonProps) {
  const say = useMaintenanceWords()
  const [isAsked, setAsked] = useState(false)
  const start = useAdministrationChange(() => startMaintenance(name))
  const begin = () => start.mutate(undefined, { onSettled: () => setAsked(false) })
  return (
    <>
      <Button
        aria-label={say('of', { action: say('start'), title })}
        isPending={start.isPending}
        onPress={() => (name === 'collectFiles' ? setAsked(true) : begin())}
      >
        {say('start')}
      </Button>
      <Confirm
        title={say('collectTitle')}
        sentence={say('collectSentence')}
        words={{ confirm: say('start'), cancel: say('cancel') }}
        isOpen={isAsked}
        isPending={start.isPending}
        onClose={() => setAsked(false)}
        onConfirm={begin}
      />
    </>
  )
}

function StopButton({ task: { name }, title }: ButtonProps) {
  const say = useMaintenanceWords()
  const stop = useAdministrationChange(() => stopMaintenance(name))
  return (
    <Button
      aria-label={say('of', { action: say('stop'), title })}
      isPending={stop.isPending}
      onPress={() => stop.mutate(undefined)}
    >
      {say('stop')}
    </Button>
  )
}
