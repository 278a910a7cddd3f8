import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig } from 'lucide-react'
import { dropJob, type Job, jobCountsQuery, jobStates, jobsIn, retryJob } from '../../api/administration/jobs.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Message } from '../../ui/message.tsx'
import { tell } from '../../ui/toasts.tsx'
import type { Column } from '../../ui/virtual-grid.tsx'
import { useFormats } from '../../words/formats.ts'
import { ConfirmedChange } from '../administration/confirmed-change.tsx'
import { EntityList } from '../administration/entity-list.tsx'
import { ScreenPage } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { usePlace } from '../administration/use-place.ts'
import { PersonName } from '../people/person.tsx'
import styles from './jobs.module.css'
import { RunningBulks } from './running-bulks.tsx'
import { useJobWords } from './words.ts'

/** What is left to be done, what everybody has started on many documents, and what was given up with the reason. */
export function Screen() {
  const say = useJobWords()
  const { number } = useFormats()
  const columns = useJobColumns()
  const { search, change } = usePlace()
  const { data: counts } = useQuery({ ...jobCountsQuery, refetchInterval: 5_000 })
  const options = [{ value: '', label: say('all') }, ...jobStates.map((state) => ({ value: state, label: say(state) }))]
  const state = jobStates.find((one) => one === search.state)
  return (
    <ScreenPage
      title={say('title')}
      hint={say('hint')}
      flows
      tools={
        <>
          {counts === undefined ? null : (
            <p className={styles.quiet} role="status">
              {say('due')}: {number(counts.pending)} · {say('parked')}: {number(counts.parked)}
            </p>
          )}
          <Choice
            label={say('state')}
            value={state ?? ''}
            options={options}
            onChange={(next) => change({ state: next || undefined })}
          />
        </>
      }
    >
      <div className={styles.page}>
        <RunningBulks />
        <EntityList
          label={say('title')}
          pages={jobsIn(state)}
          columns={columns}
          keyOf={({ repository, id }) => `${repository}/${id}`}
          counted={(count) => say('count', { count })}
          empty={
            <Message icon={CircleCheckBig} title={say('none')}>
              <p>{say('noneHint')}</p>
            </Message>
          }
        />
      </div>
    </ScreenPage>
  )
}

function useJobColumns(): readonly Column<Job>[] {
  const say = useJobWords()
  const { moment } = useFormats()
  return [
    { id: 'kind', label: say('kind'), width: 'minmax(90px, 1fr)', render: ({ kind }) => kind },
    { id: 'state', label: say('state'), width: '100px', isMinor: true, render: ({ state }) => say(state) },
    {
      id: 'owner',
      label: say('owner'),
      width: 'minmax(0, 1fr)',
      isMinor: true,
      render: ({ owner }) => (owner === null ? say('server') : <PersonName reference={owner} />),
    },
    { id: 'attempts', label: say('attempts'), width: '80px', isMinor: true, render: ({ attempts }) => attempts },
    {
      id: 'when',
      label: say('when'),
      width: '170px',
      isMinor: true,
      // What was never begun is due since the beginning of time.
      render: ({ runAfter }) => (runAfter.startsWith('1970') ? '' : moment(runAfter)),
    },
    {
      id: 'error',
      label: say('error'),
      width: 'minmax(0, 2fr)',
      render: ({ error }) => (
        <span className={styles.error} title={error ?? undefined}>
          {error}
        </span>
      ),
    },
    {
      id: 'actions',
      label: say('actions'),
      width: '200px',
      render: (job) => (job.state === 'parked' ? <Decisions job={job} /> : null),
    },
  ]
}

/** Of what was given up. */
function Decisions({ job }: { readonly job: Job }) {
  const say = useJobWords()
  const retry = useAdministrationChange(() => retryJob(job))
  const { kind, id } = job
  return (
    <>
      <Button
        look="quiet"
        aria-label={say('of', { action: say('retry'), kind, id })}
        isPending={retry.isPending}
        onPress={() => retry.mutate(undefined, { onSuccess: () => tell({ text: say('retried') }) })}
      >
        {say('retry')}
      </Button>
      <ConfirmedChange
        words={{
          label: say('drop'),
          name: say('of', { action: say('drop'), kind, id }),
          title: say('dropTitle'),
          sentence: say('dropSentence'),
          cancel: say('cancel'),
          done: say('dropped'),
        }}
        run={() => dropJob(job)}
      />
    </>
  )
}
