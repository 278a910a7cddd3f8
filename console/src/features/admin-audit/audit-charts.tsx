import { useQuery } from '@tanstack/react-query'
import { auditCountsQuery, type LogFilter } from '../../api/administration/audit-log.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { useEventNames } from '../history/words.ts'
import { Shown } from '../problems/shown.tsx'
import styles from './audit.module.css'
import { daysBetween } from './days.ts'
import { useAuditWords } from './words.ts'

export interface AuditChartsProps {
  readonly filter: LogFilter
  /** Counting takes the server longer than the rows do, which come first. */
  readonly mayCount: boolean
  onEvent(event: string): void
}

const eventsShown = 8

/** How much happened on each day, and of which kind. */
export function AuditCharts({ filter, mayCount, onEvent }: AuditChartsProps) {
  const say = useAuditWords()
  const sayEvent = useEventNames()
  const { number, day: shownDay } = useShownDays()
  return (
    <Shown query={useQuery({ ...auditCountsQuery(filter), enabled: mayCount })} waiting={<Skeleton />}>
      {({ from, to, total, days, events }) => (
        <div className={styles.charts}>
          <section>
            <h2>{say('byDay')}</h2>
            <p className={styles.quiet}>{say('total', { count: total })}</p>
            <BarChart
              label={say('byDay')}
              direction="standing"
              bars={daysBetween(from, to, days).map(({ day, count }) => ({
                key: day,
                label: shownDay(day),
                value: count,
                said: number(count),
              }))}
            />
            <p className={styles.ends}>
              <span>{shownDay(from.slice(0, 10))}</span>
              <span>{shownDay(to.slice(0, 10))}</span>
            </p>
          </section>
          <section>
            <h2>{say('byEvent')}</h2>
            <BarChart
              label={say('byEvent')}
              direction="lying"
              onChoose={onEvent}
              bars={events
                .slice(0, eventsShown)
                .map(({ eventId, count }) => ({ key: eventId, label: sayEvent(eventId), value: count, said: number(count) }))}
            />
          </section>
        </div>
      )}
    </Shown>
  )
}

/** Days of UTC are shown as such, wherever one is. */
function useShownDays() {
  const { date, number } = useFormats()
  return { number, day: (day: string) => date(`${day}T12:00:00`) }
}
