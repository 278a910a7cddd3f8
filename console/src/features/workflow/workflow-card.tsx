import { useQuery } from '@tanstack/react-query'
import { CircleStop, Workflow as WorkflowIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useDocumentChange } from '../../api/changes.ts'
import { meQuery } from '../../api/documents.ts'
import { cancelWorkflow, type Task, type Workflow, workflowTasksQuery } from '../../api/workflow.ts'
import { ConfirmedButton } from '../../ui/dialog/confirmed-button.tsx'
import { FactList } from '../../ui/fact-list.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useLanguage } from '../../words/words.ts'
import { Person } from '../people/person.tsx'
import { LinkedPerson } from '../people/person-link.tsx'
import { DueDate } from '../tasks/due-date.tsx'
import { nameOf, referenceOf } from '../tasks/people-of-task.ts'
import { Graph } from './graph.tsx'
import { useWorkflowWords } from './words.ts'
import styles from './workflow.module.css'

export interface WorkflowCardProps {
  readonly workflow: Workflow
  readonly children?: ReactNode
  /** What can be done with each of its open tasks. */
  onTask?(task: Task): ReactNode
}

/** A workflow that is under way: who started it, for whom it waits, its steps, and a way to end it. */
export function WorkflowCard({ workflow, children, onTask }: WorkflowCardProps) {
  const say = useWorkflowWords()
  const initiator = nameOf(workflow.initiator)
  return (
    <article className={styles.card}>
      <header className={styles.title}>
        <WorkflowIcon size={18} aria-hidden />
        <h2>{workflow.title ?? workflow.name}</h2>
        <span className={styles.spring} />
        <CancelButton workflow={workflow} />
      </header>
      {children}
      <FactList>
        {initiator === undefined ? null : (
          <>
            <dt>{say('startedBy')}</dt>
            <dd>
              <LinkedPerson reference={initiator} />
            </dd>
          </>
        )}
        {isOver(workflow) ? null : (
          <>
            <dt>{say('waitsFor')}</dt>
            <dd>
              <OpenTasks workflow={workflow} onTask={onTask} />
            </dd>
          </>
        )}
      </FactList>
      <Graph workflow={workflow} />
    </article>
  )
}

const isOver = ({ state }: Workflow) => state === 'done' || state === 'canceled'

/** One line for each, with those whom it is for. */
function OpenTasks({ workflow, onTask }: Pick<WorkflowCardProps, 'workflow' | 'onTask'>) {
  const say = useWorkflowWords()
  const { data: tasks } = useQuery(workflowTasksQuery(workflow, useLanguage()))
  if (tasks === undefined) return null
  if (tasks.length === 0) return <span className={styles.quiet}>{say('waitsForNobody')}</span>
  return (
    <ul className={styles.tasks}>
      {tasks.map((task) => (
        <li key={task.id}>
          {[...task.actors, ...task.delegatedActors]
            .flatMap((one) => referenceOf(one) ?? [])
            .map((reference) => (
              <Person key={reference} reference={reference} />
            ))}
          <span className={styles.quiet}>{task.name}</span>
          <DueDate date={task.dueDate} />
          {onTask?.(task)}
        </li>
      ))}
    </ul>
  )
}

/** Only for those whom the server lets do it. */
function CancelButton({ workflow }: { readonly workflow: Workflow }) {
  const say = useWorkflowWords()
  const { data: me } = useQuery(meQuery)
  const cancel = useDocumentChange(cancelWorkflow)
  const title = workflow.title ?? workflow.name
  if (isOver(workflow) || me === undefined || (!me.isAdministrator && nameOf(workflow.initiator) !== me.id)) return null
  return (
    <ConfirmedButton
      look="quiet"
      title={say('cancelTitle', { title })}
      sentence={say('cancelSentence')}
      words={{ confirm: say('cancelDo'), cancel: say('keep') }}
      isPending={cancel.isPending}
      onConfirm={(close) =>
        cancel.mutate(workflow.id, {
          onSuccess: () => tell({ text: say('cancelled', { title }) }),
          onError: ({ message }) => tell({ kind: 'problem', text: message }),
          onSettled: close,
        })
      }
    >
      <CircleStop size={16} aria-hidden />
      {say('cancel')}
    </ConfirmedButton>
  )
}
