import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/client.ts'
import type { components } from '../../api/entities.ts'
import type { Document } from '../../api/types.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { usePersonName } from '../people/person.tsx'
import { Shown } from '../problems/shown.tsx'
import styles from './history.module.css'
import { useEventNames, useHistoryWords } from './words.ts'

type LogEntries = components['schemas']['LogEntries']
type LogEntry = components['schemas']['LogEntry']

const shownAtMost = 5

/** What happened to a document lately, beside it. */
export function ActivityPanel({ document: { uid } }: { readonly document: Document }) {
  const say = useHistoryWords()
  const query = useQuery({
    queryKey: ['documents', 'history', uid, 'lately'],
    queryFn: ({ signal }) =>
      call<LogEntries>(`id/${encodeURIComponent(uid)}/@audit`, {
        signal,
        query: { pageSize: shownAtMost, sortBy: 'eventDate', sortOrder: 'desc' },
      }),
  })
  const all = (
    <Link to="." search={{ tab: 'history' }}>
      {say('all')}
    </Link>
  )
  return (
    <Panel title={say('activity')} actions={all}>
      <Shown query={query} waiting={<Skeleton />}>
        {({ entries }) => (
          <ol className={styles.lately}>
            {(entries as readonly LogEntry[]).map((entry) => (
              <Line key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </Shown>
    </Panel>
  )
}

function Line({ entry: { eventId, principalName, eventDate } }: { readonly entry: LogEntry }) {
  const say = useHistoryWords()
  const nameOf = useEventNames()
  const { ago, moment } = useFormats()
  const who = usePersonName(principalName ?? '')
  return (
    <li>
      {say('by', { what: nameOf(eventId ?? ''), who })}
      <time dateTime={eventDate} title={moment(eventDate)}>
        {ago(eventDate)}
      </time>
    </li>
  )
}
