import { useQuery } from '@tanstack/react-query'
import { Workflow as WorkflowIcon } from 'lucide-react'
import { documentsIn, startedWorkflowsQuery, type Workflow } from '../../api/workflow.ts'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { DocumentLink } from '../documents/document-link.tsx'
import { Shown } from '../problems/shown.tsx'
import { WorkflowCard } from '../workflow/workflow-card.tsx'
import styles from './tasks.module.css'
import { useTaskWords } from './words.ts'

/** What one has started and others are working on. */
export function StartedWorkflows() {
  const say = useTaskWords()
  const query = useQuery(startedWorkflowsQuery(useLanguage()))
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {(workflows) =>
        workflows.length === 0 ? (
          <Message icon={WorkflowIcon} title={say('noneStarted')}>
            <p>{say('noneStartedHint')}</p>
          </Message>
        ) : (
          <ul className={styles.started}>
            {workflows.map((workflow) => (
              <li key={workflow.id}>
                <WorkflowCard workflow={workflow}>
                  <Attached workflow={workflow} />
                </WorkflowCard>
              </li>
            ))}
          </ul>
        )
      }
    </Shown>
  )
}

function Attached({ workflow }: { readonly workflow: Workflow }) {
  const documents = documentsIn(workflow.attachedDocumentIds)
  return (
    <>
      {documents.map((document) => (
        <DocumentLink key={document.uid} document={document} isReached />
      ))}
    </>
  )
}
