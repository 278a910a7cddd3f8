import type { Services } from '../../rest/services.ts'

/** One thing that must work for the server to be of use. */
export interface Probe {
  readonly name: string
  readonly isHealthy: boolean
}

interface Measured {
  readonly at: number
  readonly probes: Promise<readonly Probe[]>
}

const measured = new WeakMap<Services, Measured>()

/** All probes; a result serves for a while, so that watching the server costs it nothing. */
export function runProbes(services: Services): Promise<readonly Probe[]> {
  const last = measured.get(services)
  if (last !== undefined && performance.now() - last.at < services.facts.healthCheckMillis) return last.probes
  const probes = Promise.all([
    probe(services, 'runtimeStatus', async () => true),
    probe(services, 'repositoryStatus', () => everyRepositoryAnswers(services)),
  ])
  measured.set(services, { at: performance.now(), probes })
  return probes
}

export function isHealthy(probes: readonly Probe[]): boolean {
  return probes.every((one) => one.isHealthy)
}

async function everyRepositoryAnswers({ repositories }: Services): Promise<boolean> {
  const roots = [...repositories.values()].map((repository) => repository.store.reader.documents.findByPath('/'))
  return (await Promise.all(roots)).every((root) => root !== undefined)
}

async function probe({ log }: Services, name: string, check: () => Promise<boolean>): Promise<Probe> {
  try {
    return { name, isHealthy: await check() }
  } catch (err) {
    log.warn({ event: 'health.failed', probe: name, err }, 'health check failed')
    return { name, isHealthy: false }
  }
}
