import { useQuery } from '@tanstack/react-query'
import { Play, Workflow as WorkflowIcon } from 'lucide-react'
import type { Document } from '../../api/types.ts'
import { documentWorkflowsQuery } from '../../api/workflow.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Shown } from '../problems/shown.tsx'
import { DocumentTasks } from '../tasks/document-tasks.tsx'
import { useStartWorkflow } from './start-workflow.tsx'
import { useWorkflowWords } from './words.ts'
import styles from './workflow.module.css'
import { WorkflowCard } from './workflow-card.tsx'

/** What is under way on a document, what of it waits for whoever looks, and what could be started. */
export function WorkflowPanel({ document }: { readonly document: Document }) {
  const say = useWorkflowWords()
  const query = useQuery(documentWorkflowsQuery(document.uid, useLanguage()))
  const start = useStartWorkflow(document)
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ running, runnable }) => (
        <div className={styles.page}>
          <DocumentTasks document={document} />
          {running.map((workflow) => (
            <WorkflowCard key={workflow.id} workflow={workflow} />
          ))}
          {running.length > 0 ? null : (
            <Message icon={WorkflowIcon} title={say('none')}>
              <p>{say(runnable.length > 0 ? 'noneHint' : 'noneOffered')}</p>
              <div className={styles.offers}>
                {runnable.map((workflow) => (
                  <Button key={workflow.id} onPress={() => start(workflow)}>
                    <Play size={16} aria-hidden />
                    {say('startOne', { title: workflow.title ?? workflow.name })}
                  </Button>
                ))}
              </div>
            </Message>
          )}
        </div>
      )}
    </Shown>
  )
}
