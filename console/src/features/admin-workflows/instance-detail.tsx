import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Workflow as WorkflowIcon } from 'lucide-react'
import { instanceQuery, type WorkflowInstance } from '../../api/administration/workflow-instances.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Shown } from '../problems/shown.tsx'
import { HandOverButtons } from '../tasks/hand-over.tsx'
import { WorkflowCard } from '../workflow/workflow-card.tsx'
import { HindranceLine } from './instance-columns.tsx'
import { useAdminWorkflowWords } from './words.ts'
import styles from './workflows.module.css'

/** One of them: what keeps it, its tasks, which can be given to others, its steps, and a way to end it. */
export function InstanceDetail({ id }: { readonly id: string }) {
  const say = useAdminWorkflowWords()
  return (
    <Shown query={useQuery(instanceQuery(id, useLanguage()))} waiting={<Skeleton />}>
      {({ found }) => (found === undefined ? <Message icon={WorkflowIcon} title={say('none')} /> : <Instance instance={found} />)}
    </Shown>
  )
}

function Instance({ instance: { workflow, hindrances } }: { readonly instance: WorkflowInstance }) {
  const say = useAdminWorkflowWords()
  return (
    <WorkflowCard workflow={workflow} onTask={(task) => <HandOverButtons task={task} />}>
      {hindrances.length === 0 ? null : (
        <section aria-label={say('why')}>
          <ul className={styles.hindrances}>
            {hindrances.map((hindrance) => (
              <li key={`${hindrance.reason} ${hindrance.task}`}>
                <HindranceLine hindrance={hindrance} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <ul className={styles.documents} aria-label={say('documents')}>
        {workflow.attachedDocumentIds.map(({ uid, title }) =>
          typeof uid !== 'string' ? null : (
            <li key={uid}>
              <Link to="/doc/$id" params={{ id: uid }} preload={false}>
                {String(title ?? uid)}
              </Link>
            </li>
          ),
        )}
      </ul>
    </WorkflowCard>
  )
}
