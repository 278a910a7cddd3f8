import { useQuery } from '@tanstack/react-query'
import { Workflow as WorkflowIcon } from 'lucide-react'
import { modelsQuery } from '../../api/workflow.ts'
import { Message } from '../../ui/message.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Shown } from '../problems/shown.tsx'
import { Graph } from '../workflow/graph.tsx'
import { useAdminWorkflowWords } from './words.ts'
import styles from './workflows.module.css'

/** What can be started, as pictures. */
export function Models() {
  const say = useAdminWorkflowWords()
  return (
    <Shown query={useQuery(modelsQuery(useLanguage()))} waiting={<Skeleton />}>
      {(models) =>
        models.length === 0 ? (
          <Message icon={WorkflowIcon} title={say('noModels')}>
            <p>{say('noModelsHint')}</p>
          </Message>
        ) : (
          <div className={styles.models}>
            {models.map((model) => (
              <Panel key={model.id} title={model.title ?? model.name}>
                <Graph workflow={model} />
              </Panel>
            ))}
          </div>
        )
      }
    </Shown>
  )
}
