import { type DeliveryAttempt, type NotificationEndpoint, sendAgain, sendTest } from '../../api/administration/webhooks.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { tell } from '../../ui/toasts.tsx'
import { useFormats } from '../../words/formats.ts'
import { useAdministrationChange } from '../administration/use-change.ts'
import styles from './endpoints.module.css'
import { useEndpointWords } from './words.ts'

/** So often what is looked at is asked for anew: attempts come by themselves. */
export const secondsBetweenLooks = 3

export interface DeliveriesProps {
  /** Its address in the API. */
  readonly path: string
  readonly status: Pick<NotificationEndpoint, 'queued' | 'delivered' | 'failed' | 'attempts'>
}

/** How it stands with a receiver: what was sent, what became of it, and what is sent at once. */
export function Deliveries({ path, status: { queued, delivered, failed, attempts } }: DeliveriesProps) {
  const say = useEndpointWords()
  const { number } = useFormats()
  return (
    <>
      <dl className={styles.counts}>
        {(
          [
            ['delivered', delivered],
            ['failed', failed],
            ['waiting', queued],
          ] as const
        ).map(([word, count]) => (
          <div key={word}>
            <dt>{say(word)}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
      <Panel title={say('attempts')} actions={<TestButton path={path} />}>
        {attempts.length === 0 ? (
          <p className={styles.quiet}>{say('noAttempts')}</p>
        ) : (
          <ul className={styles.attempts} aria-label={say('attempts')}>
            {attempts.map((attempt, index) => (
              <Attempt key={`${attempt.date} ${attempt.position}`} path={path} attempt={attempt} isNewest={index === 0} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  )
}

const outcomes = { delivered: 'outcomeDelivered', unavailable: 'outcomeUnavailable', refused: 'outcomeRefused' } as const

interface AttemptProps {
  readonly path: string
  readonly attempt: DeliveryAttempt
  readonly isNewest: boolean
}

function Attempt({ path, attempt, isNewest }: AttemptProps) {
  const say = useEndpointWords()
  const { moment } = useFormats()
  const again = useSending(() => sendAgain(path, attempt))
  const { event, date, outcome, error, milliseconds, position, next } = attempt
  return (
    <li>
      <span className={styles.about}>
        <span>
          <strong>{event}</strong> · {say(outcomes[outcome])}
        </span>
        <small className={styles.quiet}>
          {moment(date)} · {say('took', { milliseconds })}
        </small>
        {error === null ? null : <small className={styles.error}>{error}</small>}
        {isNewest && next !== null ? <small className={styles.quiet}>{say('next', { date: moment(next) })}</small> : null}
      </span>
      {position === null ? null : (
        <Button
          look="quiet"
          aria-label={say('againOf', { event, date: moment(date) })}
          isPending={again.isPending}
          onPress={() => again.mutate(undefined)}
        >
          {say('again')}
        </Button>
      )}
    </li>
  )
}

function TestButton({ path }: { readonly path: string }) {
  const say = useEndpointWords()
  const test = useSending(() => sendTest(path))
  return (
    <Button look="quiet" isPending={test.isPending} onPress={() => test.mutate(undefined)}>
      {say('test')}
    </Button>
  )
}

/** Sends something at once, and tells what became of it. */
function useSending(send: () => Promise<DeliveryAttempt>) {
  const say = useEndpointWords()
  return useAdministrationChange(async () => {
    const { outcome, error } = await send()
    if (outcome === 'delivered') tell({ text: say('taken') })
    else tell({ kind: 'problem', text: say('notTaken', { error: error ?? '' }) })
  })
}
