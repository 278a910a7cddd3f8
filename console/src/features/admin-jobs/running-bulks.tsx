import { useQuery } from '@tanstack/react-query'
import { runningBulksQuery } from '../../api/administration/jobs.ts'
import { type BulkStatus, stopBulk } from '../../api/bulk.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePersonName } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './jobs.module.css'
import { useJobWords } from './words.ts'

const secondsBetweenLooks = 2

/** What everybody has started on many documents, with how far it is. */
export function RunningBulks() {
  const say = useJobWords()
  const query = useQuery({ ...runningBulksQuery, refetchInterval: secondsBetweenLooks * 1_000 })
  return (
    <section className={styles.bulks} aria-labelledby="running-bulks">
      <h2 id="running-bulks">{say('bulks')}</h2>
      <Shown query={query} waiting={<Skeleton />}>
        {(bulks) =>
          bulks.length === 0 ? (
            <p className={styles.quiet}>{say('noBulks')}</p>
          ) : (
            <ul>
              {bulks.map((bulk) => (
                <Line key={bulk.commandId} bulk={bulk} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  )
}

function Line({ bulk }: { readonly bulk: BulkStatus }) {
  const say = useJobWords()
  const { action, username, processed, total, errorCount, errorMessage } = bulk
  const name = usePersonName(username)
  const stop = useAdministrationChange(stopBulk)
  return (
    <li>
      <span>
        <strong>{action}</strong> <span className={styles.quiet}>{name}</span>
        {errorCount === 0 ? null : (
          <span className={styles.error} title={errorMessage}>
            {' '}
            {say('errors', { count: errorCount })}
          </span>
        )}
      </span>
      <progress value={processed} max={Math.max(1, total)} aria-label={action} />
      <span className={styles.quiet}>{say('progress', { processed, total })}</span>
      <Button aria-label={say('stopOf', { action, name })} isPending={stop.isPending} onPress={() => stop.mutate(bulk.commandId)}>
        {say('stop')}
      </Button>
    </li>
  )
}
