import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Download, ScrollText } from 'lucide-react'
import {
  auditCountsQuery,
  type LogEntry,
  type LogFilter,
  logEntriesLike,
  logExportAddress,
  mostPaged,
} from '../../api/administration/audit-log.ts'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { TextField } from '../../ui/text-field.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { EntityList } from '../administration/entity-list.tsx'
import { ScreenPage, SearchField } from '../administration/screen-page.tsx'
import { useFirstRowsCame } from '../administration/use-entity-pages.ts'
import { usePlace } from '../administration/use-place.ts'
import { useEventNames } from '../history/words.ts'
import { PersonName } from '../people/person.tsx'
import styles from './audit.module.css'
import { AuditCharts } from './audit-charts.tsx'
import { useAuditWords } from './words.ts'

/** Who did what, and when. */
export function Screen() {
  const say = useAuditWords()
  const columns = useLogColumns()
  const navigate = useNavigate()
  const { search, change } = usePlace()
  const filter: LogFilter = { event: search.kind, user: search.user, from: dayIn(search.from), until: dayIn(search.until) }
  const pages = logEntriesLike(filter)
  const mayCount = useFirstRowsCame(pages)
  return (
    <ScreenPage title={say('title')} hint={say('hint')} tools={<Filters filter={filter} mayCount={mayCount} />} flows>
      <div className={styles.page}>
        <AuditCharts filter={filter} mayCount={mayCount} onEvent={(kind) => change({ kind })} />
        <EntityList
          label={say('title')}
          pages={pages}
          columns={columns}
          keyOf={({ id }) => String(id)}
          onOpen={({ docUUID }) => docUUID !== null && void navigate({ to: '/doc/$id', params: { id: docUUID } })}
          counted={(count) => say(count === mostPaged ? 'most' : 'count', { count })}
          empty={
            <Message icon={ScrollText} title={say('none')}>
              <p>{say('noneHint')}</p>
            </Message>
          }
        />
      </div>
    </ScreenPage>
  )
}

const dayIn = (text: string | undefined) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? text : undefined)

interface FiltersProps {
  readonly filter: LogFilter
  readonly mayCount: boolean
}

function Filters({ filter, mayCount }: FiltersProps) {
  const say = useAuditWords()
  const sayEvent = useEventNames()
  const { change } = usePlace()
  // Those that there are, whichever of them is shown.
  const { data } = useQuery({ ...auditCountsQuery({ ...filter, event: undefined }), enabled: mayCount })
  const events = new Set([
    ...(data?.events.map(({ eventId }) => eventId) ?? []),
    ...(filter.event === undefined ? [] : [filter.event]),
  ])
  return (
    <>
      <Choice
        label={say('event')}
        value={filter.event ?? ''}
        options={[
          { value: '', label: say('anyEvent') },
          ...[...events].map((event) => ({ value: event, label: sayEvent(event) })),
        ]}
        onChange={(kind) => change({ kind: kind || undefined })}
      />
      <SearchField label={say('user')} name="user" />
      {(['from', 'until'] as const).map((end) => (
        <TextField
          key={end}
          label={say(end)}
          type={'date' as 'text'}
          value={filter[end] ?? ''}
          onChange={(day) => change({ [end]: day || undefined })}
        />
      ))}
      <a className={styles.export} href={logExportAddress(filter)} download="audit.csv" title={say('exportHint')}>
        <Download size={16} aria-hidden />
        {say('export')}
      </a>
    </>
  )
}

function useLogColumns(): readonly Column<LogEntry>[] {
  const say = useAuditWords()
  const sayEvent = useEventNames()
  const { moment } = useFormats()
  return [
    { id: 'when', label: say('when'), width: '204px', render: ({ eventDate }) => moment(eventDate) },
    {
      id: 'who',
      label: say('who'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: ({ principalName }) => <PersonName reference={principalName ?? ''} />,
    },
    { id: 'what', label: say('what'), width: 'minmax(0, 1fr)', render: ({ eventId }) => sayEvent(eventId ?? '') },
    {
      id: 'where',
      label: say('where'),
      width: 'minmax(0, 2fr)',
      isMinor: true,
      render: ({ docUUID, docPath }) =>
        docUUID === null || docPath === null ? null : (
          <Link to="/doc/$id" params={{ id: docUUID }} preload={false} tabIndex={-1}>
            {docPath}
          </Link>
        ),
    },
    { id: 'comment', label: say('comment'), width: 'minmax(0, 1fr)', isMinor: true, render: ({ comment }) => comment },
  ]
}
