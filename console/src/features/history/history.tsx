import { useInfiniteQuery } from '@tanstack/react-query'
import { History as HistoryIcon } from 'lucide-react'
import { call } from '../../api/client.ts'
import type { components } from '../../api/entities.ts'
import type { Document } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Message } from '../../ui/message.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import { usePersonName } from '../people/person.tsx'
import { Refused } from '../problems/shown.tsx'
import styles from './history.module.css'
import { useEventNames, useHistoryWords } from './words.ts'

type LogEntries = components['schemas']['LogEntries']
type LogEntry = components['schemas']['LogEntry']

/** What happened to a document, the latest first. */
export function History({ document: { uid: id } }: { readonly document: Document }) {
  const say = useHistoryWords()
  const query = useInfiniteQuery({
    queryKey: ['documents', 'history', id],
    queryFn: ({ signal, pageParam }) =>
      call<LogEntries>(`id/${encodeURIComponent(id)}/@audit`, {
        signal,
        query: { currentPageIndex: pageParam, pageSize: 20, sortBy: 'eventDate', sortOrder: 'desc' },
      }),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.isNextPageAvailable ? last.currentPageIndex + 1 : undefined),
  })
  if (query.error !== null) return <Refused error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton />
  const entries = query.data.pages.flatMap((page) => page.entries as LogEntry[])
  if (entries.length === 0) return <Message icon={HistoryIcon} title={say('empty')} />
  return (
    <>
      <ol className={styles.list}>
        {entries.map((entry) => (
          <Line key={entry.id} entry={entry} />
        ))}
      </ol>
      {query.hasNextPage ? (
        <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('more')}
        </Button>
      ) : null}
    </>
  )
}

function Line({ entry: { eventId, principalName, eventDate, comment } }: { readonly entry: LogEntry }) {
  const say = useHistoryWords()
  const nameOf = useEventNames()
  const { moment } = useFormats()
  const who = usePersonName(principalName ?? '')
  return (
    <li>
      <div>{say('by', { what: nameOf(eventId ?? ''), who })}</div>
      {comment === null || comment === '' ? null : <div>{comment}</div>}
      <time dateTime={eventDate}>{moment(eventDate)}</time>
    </li>
  )
}
