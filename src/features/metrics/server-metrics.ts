import { figureOf, gaugeOf, type MetricFamily, type MetricSource } from '../../base/metrics.ts'
import type { Services } from '../../rest/services.ts'
import { runProbes } from '../server-status/index.ts'

// Asked so often at most, however many watch.
const probesMilliseconds = 15_000

/** What all processes of a server have in common, asked by the one that answers. What does not answer is left out. */
export async function serverFamilies(services: Services): Promise<readonly MetricFamily[]> {
  const [jobs, probes] = await Promise.all([jobFamilies(services), runProbes(services, probesMilliseconds)])
  return [
    ...jobs,
    gaugeOf(
      'quire_probe_healthy',
      'Health checks: 1 is well, 0 is not',
      probes.map(({ name, isHealthy }) => figureOf(isHealthy ? 1 : 0, { probe: name })),
    ),
  ]
}

async function jobFamilies({ repositories, log }: Services): Promise<readonly MetricFamily[]> {
  const counted = [...repositories.values()].map(async ({ name, store, now }) => {
    const { jobs } = store.reader
    return { name, pending: await jobs.countPending(now()), parked: await jobs.countParked() }
  })
  try {
    const counts = await Promise.all(counted)
    const values = (state: 'pending' | 'parked') => counts.map((one) => figureOf(one[state], { repository: one.name }))
    return [
      gaugeOf('quire_jobs_pending', 'Jobs that are due or running, in all processes and servers', values('pending')),
      gaugeOf('quire_jobs_parked', 'Jobs that were given up and wait for a person', values('parked')),
    ]
  } catch (err) {
    // The probes tell of it.
    log.info({ event: 'metrics.jobsUncounted', err }, 'the jobs could not be counted')
    return []
  }
}

/** Memory, processor time, garbage and the event loop of this process: begun when somebody first asks. */
export function processMetrics(): MetricSource {
  let registry: Promise<{ getMetricsAsJSON(): Promise<unknown> }> | undefined
  const begin = async () => {
    const { collectDefaultMetrics, Registry } = await import('prom-client')
    const own = new Registry()
    collectDefaultMetrics({ register: own })
    return own
  }
  return async () => {
    registry ??= begin()
    return (await (await registry).getMetricsAsJSON()) as readonly MetricFamily[] // its own form
  }
}
