import { useInfiniteQuery } from '@tanstack/react-query'
import { CircleCheckBig } from 'lucide-react'
import { stuckQuery } from '../../api/administration/workflow-instances.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLanguage } from '../../words/words.ts'
import { Shown } from '../problems/shown.tsx'
import { HindranceLine, InstanceName } from './instance-columns.tsx'
import { useAdminWorkflowWords } from './words.ts'
import styles from './workflows.module.css'

/** Those that will not go on by themselves or are late, each with the reasons. */
export function Stuck({ open }: { readonly open: string }) {
  const say = useAdminWorkflowWords()
  const query = useInfiniteQuery(stuckQuery(useLanguage()))
  return (
    <Shown query={query} waiting={<Skeleton />}>
      {({ pages }) => {
        const found = pages.flatMap(({ entries }) => entries)
        return (
          <div className={styles.stuck}>
            <p className={styles.quiet} role="status">
              {say('count', { count: found.length })} ·{' '}
              {say('looked', { count: pages.reduce((sum, { looked }) => sum + looked, 0) })}
            </p>
            {found.length > 0 || query.hasNextPage ? null : (
              <Message icon={CircleCheckBig} title={say('noneStuck')}>
                <p>{say('noneStuckHint')}</p>
              </Message>
            )}
            <ul aria-label={say('stuck')}>
              {found.map((instance) => (
                <li key={instance.workflow.id} data-open={instance.workflow.id === open}>
                  <InstanceName instance={instance} isReached />
                  <span className={styles.lines}>
                    {instance.hindrances.map((hindrance) => (
                      <HindranceLine key={`${hindrance.reason} ${hindrance.task}`} hindrance={hindrance} />
                    ))}
                  </span>
                </li>
              ))}
            </ul>
            {query.hasNextPage ? (
              <Button isPending={query.isFetchingNextPage} onPress={() => void query.fetchNextPage()}>
                {say('further')}
              </Button>
            ) : null}
          </div>
        )
      }}
    </Shown>
  )
}
