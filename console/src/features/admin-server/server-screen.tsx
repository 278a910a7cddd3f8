import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import {
  distributionQuery,
  type Metric,
  metricsQuery,
  type Probe,
  probesQuery,
  runProbe,
} from '../../api/administration/server-state.ts'
import { BarChart } from '../../ui/bar-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useFormats } from '../../words/formats.ts'
import type { Say } from '../../words/words.ts'
import { ScreenPage } from '../administration/screen-page.tsx'
import { useAdministrationChange } from '../administration/use-change.ts'
import { Shown } from '../problems/shown.tsx'
import { figure, figuresBy, hitShare } from './figures.ts'
import styles from './server.module.css'
import { StorageFigures } from './storage-figures.tsx'
import { useServerWords } from './words.ts'

const millisecondsBetweenLooks = 5_000

/** Whether the server is well, what runs here, and what it does and keeps. */
export function Screen() {
  const say = useServerWords()
  const metrics = useQuery({ ...metricsQuery, refetchInterval: millisecondsBetweenLooks })
  return (
    <ScreenPage title={say('title')} hint={say('hint')} flows>
      <div className={styles.page}>
        <Health />
        <Versions />
        <Panel title={say('queues')}>
          <Shown query={metrics} waiting={<Skeleton />}>
            {(entries) => <Queues metrics={entries} />}
          </Shown>
        </Panel>
        <Panel title={say('caches')}>
          <Shown query={metrics} waiting={<Skeleton />}>
            {(entries) => <Caches metrics={entries} />}
          </Shown>
        </Panel>
        <StorageFigures />
      </div>
    </ScreenPage>
  )
}

function Health() {
  const say = useServerWords()
  const query = useQuery({ ...probesQuery, refetchInterval: millisecondsBetweenLooks })
  const run = useAdministrationChange(async (probes: readonly Probe[]) => {
    for (const { name } of probes) await runProbe(name)
  })
  const { mutate, isIdle } = run
  const { data } = query
  // Whoever comes here wants to know, and not to ask first.
  useEffect(() => {
    if (isIdle && data?.some(({ status }) => status.neverExecuted)) mutate(data)
  }, [isIdle, data, mutate])
  return (
    <Panel
      title={say('health')}
      actions={
        <Button
          look="quiet"
          isDisabled={query.data === undefined}
          isPending={run.isPending}
          onPress={() => run.mutate(query.data ?? [])}
        >
          {say('checkNow')}
        </Button>
      }
    >
      <Shown query={query} waiting={<Skeleton />}>
        {(probes) => (
          <ul className={styles.probes}>
            {probes.map((probe) => (
              <ProbeLine key={probe.name} probe={probe} />
            ))}
          </ul>
        )}
      </Shown>
    </Panel>
  )
}

const icons = { unknown: CircleDashed, well: CircleCheck, ill: CircleX }

function ProbeLine({ probe: { name, status, history } }: { readonly probe: Probe }) {
  const say = useServerWords()
  const { ago } = useFormats()
  const known = (say as Say)(name)
  const standing = status.neverExecuted ? 'unknown' : status.success ? 'well' : 'ill'
  const Icon = icons[standing]
  return (
    <li data-standing={standing}>
      <Icon size={16} aria-hidden />
      <span>{known}</span>
      <span className={styles.quiet}>
        {status.neverExecuted ? say('notYet') : status.success ? say('well', { ago: ago(history.lastRun) }) : status.infos.info}
      </span>
    </li>
  )
}

function Versions() {
  const say = useServerWords()
  const { moment } = useFormats()
  return (
    <Panel title={say('versions')}>
      <Shown query={useQuery(distributionQuery)} waiting={<Skeleton />}>
        {({ applicationName, applicationVersion, distributionVersion, runtime, repositories, started }) => (
          <Facts
            facts={[
              [say('program'), `${applicationName} ${applicationVersion}`],
              [say('api'), distributionVersion],
              ['Node.js', runtime.node],
              ['SQLite', runtime.sqlite],
              [say('system'), runtime.system],
              [say('repositories'), repositories.map(({ name, engine }) => `${name} (${engine})`).join(', ')],
              [say('started'), moment(started)],
            ]}
          />
        )}
      </Shown>
    </Panel>
  )
}

function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Queues({ metrics }: { readonly metrics: readonly Metric[] }) {
  const say = useServerWords()
  const { number, size } = useFormats()
  const waiting = [...figuresBy(metrics, 'quire_database_waiting', 'for')]
  const counted = [
    ['pending', figure(metrics, 'quire_jobs_pending')],
    ['runningNow', figure(metrics, 'quire_jobs_running')],
    ['parked', figure(metrics, 'quire_jobs_parked')],
  ] as const
  return (
    <div className={styles.stack}>
      <BarChart
        label={say('queues')}
        direction="lying"
        bars={[
          ...counted.map(([key, value]) => ({ key, label: say(key), value, said: number(value) })),
          ...waiting.map(([what, value]) => ({
            key: `for ${what}`,
            label: say('waitingFor', { what: (say as Say)(what) }),
            value,
            said: number(value),
          })),
        ]}
      />
      <Facts facts={[[say('memory'), size(figure(metrics, 'process_resident_memory_bytes'))]]} />
    </div>
  )
}

function Caches({ metrics }: { readonly metrics: readonly Metric[] }) {
  const say = useServerWords()
  const { number } = useFormats()
  const [hits, misses, entries] = ['hits_total', 'misses_total', 'entries'].map((name) =>
    figuresBy(metrics, `quire_cache_${name}`, 'cache'),
  )
  const caches = [...(entries?.keys() ?? [])]
  const nameOf = (cache: string) => (cache === 'documents' ? say('documentsCache') : (say as Say)(cache))
  return (
    <div className={styles.stack}>
      <BarChart
        label={say('hitShare')}
        direction="lying"
        most={100}
        bars={[
          ...caches.map((cache) => {
            const share = hitShare(hits?.get(cache) ?? 0, misses?.get(cache) ?? 0)
            return {
              key: cache,
              label: nameOf(cache),
              value: share ?? 0,
              said: share === undefined ? '–' : `${number(share)} %`,
            }
          }),
        ]}
      />
      <Facts facts={caches.map((cache) => [nameOf(cache), say('entries', { count: entries?.get(cache) ?? 0 })] as const)} />
    </div>
  )
}
