import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { type DocumentQuestion, holdersQuery, type PermissionHolder } from '../../api/administration/permission-report.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { usePlace } from '../administration/use-place.ts'
import { useAceWords } from '../permissions/ace-words.ts'
import { Refused } from '../problems/shown.tsx'
import styles from './permission-report.module.css'
import { Reason } from './reason.tsx'
import { usePermissionReportWords } from './words.ts'

const permissions = ['Read', 'ReadWrite', 'Write', 'Remove', 'WriteSecurity', 'Everything'] as const

/** Who has a permission on a document, and why. */
export function DocumentReport() {
  const say = usePermissionReportWords()
  const { permissionIn } = useAceWords()
  const { search, change } = usePlace()
  const { q: document = '', state: permission = 'Read' } = search
  const [text, setText] = useState(document)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({ q: text.trim() || undefined })
  }
  return (
    <div className={styles.report}>
      <form className={styles.question} onSubmit={submit}>
        <TextField label={say('document')} hint={say('documentHint')} value={text} onChange={setText} maxLength={300} />
        <Choice
          label={say('permission')}
          value={permission}
          options={[...new Set([...permissions, permission])].map((value) => ({ value, label: permissionIn(value) }))}
          onChange={(state) => change({ state })}
        />
        <Segments
          label={say('shown')}
          selected={search.show === 'named' ? 'named' : 'people'}
          options={(['people', 'named'] as const).map((id) => ({ id, label: say(id) }))}
          onSelect={(show) => change({ show })}
        />
      </form>
      {document === '' ? (
        <Message icon={FileQuestion} title={say('askDocument')} />
      ) : (
        <Holders of={search.show === 'named' ? 'named' : 'people'} question={{ document, permission }} />
      )}
    </div>
  )
}

interface HoldersProps {
  readonly of: 'people' | 'named'
  readonly question: DocumentQuestion
}

function Holders({ of, question }: HoldersProps) {
  const say = usePermissionReportWords()
  const query = useInfiniteQuery(holdersQuery(of, question))
  if (query.error !== null) return <Refused error={query.error} onRetry={() => void query.refetch()} />
  const [first] = query.data?.pages ?? []
  if (query.data === undefined || first === undefined) return <Skeleton />
  const holders = query.data.pages.flatMap(({ entries }) => entries)
  const { place } = first
  return (
    <section className={styles.part}>
      <h2>
        <Link to="/doc/$id" params={{ id: place.uid }} preload={false}>
          {place.title}
        </Link>
      </h2>
      <p className={styles.quiet}>
        {place.path} · {say(`${of}Hint`)}
      </p>
      <p role="status" className={styles.quiet}>
        {say(`${of}Count`, { count: holders.length })}
        {of === 'people' && query.hasNextPage
          ? ` · ${say('looked', { looked: query.data.pages.length * 50, count: first.resultsCount })}`
          : null}
      </p>
      {holders.length === 0 ? (
        <p>{say('nobody')}</p>
      ) : (
        <table className={styles.table} aria-label={say(of)}>
          <thead>
            <tr>
              <th scope="col">{say('who')}</th>
              {of === 'named' ? <th scope="col">{say('has')}</th> : null}
              <th scope="col">{say('through')}</th>
            </tr>
          </thead>
          <tbody>
            {holders.map((holder) => (
              <tr key={holder.name}>
                <th scope="row">
                  <Holder holder={holder} />
                </th>
                {of === 'named' ? <td>{say(holder.isGranted ? 'yes' : 'no')}</td> : null}
                <td>
                  <Reason holder={holder} here={place.uid} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {query.hasNextPage ? (
        <Button onPress={() => void query.fetchNextPage()} isPending={query.isFetchingNextPage}>
          {say('more')}
        </Button>
      ) : null}
    </section>
  )
}

function Holder({ holder: { name, kind, label } }: { readonly holder: PermissionHolder }) {
  const say = usePermissionReportWords()
  if (kind === 'everyone') return say('everyone')
  if (kind === 'unknown')
    return (
      <>
        {name} <small className={styles.quiet}>{say('gone')}</small>
      </>
    )
  return (
    <>
      <Link to="/admin/$" params={{ _splat: 'permissions' }} search={{ kind: 'person', user: name }}>
        {label}
      </Link>{' '}
      {label === name ? null : <small className={styles.quiet}>{name}</small>}
    </>
  )
}
