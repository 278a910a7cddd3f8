import { memoised } from '../../base/cache/memo.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { listNeededFlaws } from '../../core/blob-check/needed-flaws.ts'
import { homeOf } from '../../core/blob-gc/known-repositories.ts'
import { requireOwnFiles } from '../../core/blob-owner/require-same-owner.ts'
import type { Services } from '../../rest/services.ts'

/** One thing that must work for the server to be of use. */
export interface Probe {
  readonly name: string
  readonly isHealthy: boolean
  /** Without it the server cannot serve any request. */
  readonly isVital: boolean
  /** Why not, for every client: the code of the problem. */
  readonly code?: string
  /** The same for the operator: its sentence. */
  readonly reason?: string
}

/** Fulfilled when all is well; what it throws says what is not. */
type Check = (services: Services) => Promise<void>

/** Whatever needs watching has its line here. */
const checks: Readonly<Record<string, Check>> = {
  runtimeStatus: async () => {},
  repositoryStatus: requireRepositories,
  blobStoreStatus: requireFileStore,
  filesStatus: requireSoundFiles,
}

/** What is for an administrator to see to: a server is not taken out of service for a damaged file. */
const advisory: ReadonlySet<string> = new Set(['filesStatus'])

interface Measured {
  readonly at: number
  readonly probes: Promise<readonly Probe[]>
}

/** Of each server, for so long as `runProbes` says. */
const measuredOf = memoised((_: Services): { last?: Measured } => ({}))

// Who asks for the health is not to wait for what does not answer.
const patienceMilliseconds = 5_000
// That something fails is soon found to be over.
const failedMilliseconds = 1_000

/** All probes; a good result serves for so long, so that watching the server costs it nothing. */
export async function runProbes(services: Services, healthyMillis: number): Promise<readonly Probe[]> {
  const measured = measuredOf(services)
  const { last } = measured
  if (last !== undefined && !hasKnownFlaw(services)) {
    const probes = await last.probes
    const lifetime = isHealthy(probes) ? healthyMillis : failedMilliseconds
    if (performance.now() - last.at < lifetime) return probes
  }
  const probes = Promise.all(Object.entries(checks).map(([name, check]) => runCheck(services, name, check)))
  measured.last = { at: performance.now(), probes }
  return probes
}

export function isHealthy(probes: readonly Probe[]): boolean {
  return probes.every((one) => one.isHealthy || !one.isVital)
}

/** What a repository has found out about its database since the last check. */
function hasKnownFlaw({ repositories }: Services): boolean {
  return [...repositories.values()].some(({ store }) => store.findFlaw() !== undefined)
}

async function requireRepositories({ repositories }: Services): Promise<void> {
  const checked = [...repositories.values()].map(async ({ name, store }) => {
    await store.check()
    if ((await store.reader.documents.findByPath('/')) === undefined) throw new Error(`The repository ${name} has no root.`)
  })
  await Promise.all(checked)
}

/** The place of the files is there, is the right one, and can be written to. */
async function requireFileStore({ repositories }: Services): Promise<void> {
  await requireOwnFiles(repositories)
  await homeOf(repositories).blobs.now()
}

const filesFlawed = defineProblem(
  'filesFlawed',
  'failed',
  (of: { keys: readonly string[] }) =>
    `Files that documents have are missing or damaged: ${of.keys.slice(0, 10).join(', ')}${of.keys.length > 10 ? ' …' : ''}`,
)

async function requireSoundFiles({ repositories }: Services): Promise<void> {
  const keys = await listNeededFlaws(repositories)
  if (keys.length > 0) throw filesFlawed({ keys })
}

async function runCheck(services: Services, name: string, check: Check): Promise<Probe> {
  const isVital = !advisory.has(name)
  const { promise: alarm, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The probe does not end.')), patienceMilliseconds)
  try {
    await Promise.race([check(services), alarm])
    return { name, isHealthy: true, isVital }
  } catch (err) {
    services.log.warn({ event: 'health.failed', probe: name, err }, 'health check failed')
    return {
      name,
      isHealthy: false,
      isVital,
      ...(err instanceof Problem ? { code: err.code, reason: err.message } : { code: 'failed' }),
    }
  } finally {
    clearTimeout(timer)
  }
}
