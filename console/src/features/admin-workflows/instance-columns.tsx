import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import type { InstanceFilter, WorkflowInstance } from '../../api/administration/workflow-instances.ts'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { usePlace } from '../administration/use-place.ts'
import { PersonName } from '../people/person.tsx'
import { nameOf } from '../tasks/people-of-task.ts'
import { useAdminWorkflowWords } from './words.ts'
import styles from './workflows.module.css'

export function useInstanceColumns(): readonly Column<WorkflowInstance>[] {
  const say = useAdminWorkflowWords()
  const { date } = useFormats()
  return [
    {
      id: 'workflow',
      label: say('workflow'),
      width: 'minmax(120px, 2fr)',
      render: (instance) => <InstanceName instance={instance} />,
    },
    {
      id: 'initiator',
      label: say('initiator'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: ({ workflow }) => <PersonName reference={nameOf(workflow.initiator) ?? ''} />,
    },
    { id: 'started', label: say('started'), width: '120px', isMinor: true, render: ({ started }) => date(started) },
    {
      id: 'where',
      label: say('where'),
      width: 'minmax(120px, 2fr)',
      render: (instance) => <Standing instance={instance} />,
    },
  ]
}

interface InstanceNameProps {
  readonly instance: WorkflowInstance
  /** By the keyboard. Not in a grid, which has keys of its own. */
  readonly isReached?: boolean
}

/** What it is called and what it is about, leading to more of it. */
export function InstanceName({ instance: { workflow }, isReached = false }: InstanceNameProps) {
  const { screen } = usePlace()
  const documents = workflow.attachedDocumentIds.flatMap(({ title }) => (typeof title === 'string' ? [title] : []))
  return (
    <span className={styles.lines}>
      <Link
        to="/admin/$"
        params={{ _splat: `${screen}/${workflow.id}` }}
        search={(before) => before}
        {...(!isReached && { tabIndex: -1 })}
      >
        {workflow.title ?? workflow.name}
      </Link>
      <span className={styles.quiet}>{documents.join(', ')}</span>
    </span>
  )
}

function Standing({ instance }: { readonly instance: WorkflowInstance }) {
  const say = useAdminWorkflowWords()
  const [first] = instance.hindrances
  const state = instance.workflow.state as NonNullable<InstanceFilter['state']>
  return (
    <span className={styles.lines}>
      <span>
        {say(state)}
        {state === 'running' ? ` · ${say('openTasks', { count: instance.openTasks })}` : null}
      </span>
      {first === undefined ? null : <HindranceLine hindrance={first} />}
    </span>
  )
}

type Hindrance = WorkflowInstance['hindrances'][number]

export function HindranceLine({ hindrance: { reason, taskName, dueDate } }: { readonly hindrance: Hindrance }) {
  const say = useAdminWorkflowWords()
  const { date } = useFormats()
  return (
    <span className={styles.hindrance}>
      <CircleAlert size={14} aria-hidden />
      {say(reason, { task: taskName ?? '', date: date(dueDate) })}
    </span>
  )
}
