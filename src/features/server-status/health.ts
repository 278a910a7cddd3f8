import { statfs } from 'node:fs/promises'
import { memoised } from '../../base/cache/memo.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import { listNeededFlaws } from '../../core/blob-check/needed-flaws.ts'
import { homeOf } from '../../core/blob-gc/known-repositories.ts'
import { requireOwnFiles } from '../../core/blob-owner/require-same-owner.ts'
import type { Services } from '../../rest/services.ts'
import { serverSettings } from '../../settings/server-settings.ts'
import { statusSettings } from './settings.ts'

export const probeNotFound = defineProblem('probeNotFound', 'notFound', (of: { name: string }) => `No such probe: ${of.name}`)

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
  diskStatus: requireFreeSpace,
}

/** Those, and what plugins add. */
function checksOf({ probes }: Services): ReadonlyMap<string, Check> {
  const ofPlugins = probes.map((probe): readonly [string, Check] => [probe.name, (services) => probe.check(services)])
  return new Map([...Object.entries(checks), ...ofPlugins])
}

/** What is for an administrator to see to: a server that can answer is not taken out of service for a damaged file or a full disk. */
const advisory: ReadonlySet<string> = new Set(['filesStatus', 'diskStatus'])

function isVitalProbe(name: string): boolean {
  return Object.hasOwn(checks, name) && !advisory.has(name)
}

interface Measured {
  readonly at: number
  readonly probes: Promise<readonly Probe[]>
}

/** What a probe has shown since the start of this process. */
export interface ProbeRecord {
  readonly name: string
  readonly isHealthy?: boolean
  /** Why it failed the last time, for the operator. */
  readonly reason: string | undefined
  readonly lastRun?: Date
  readonly lastSuccess?: Date
  readonly lastFailure?: Date
  readonly runs: number
  readonly failures: number
  /** Of the last run. */
  readonly milliseconds: number
}

interface Health {
  last?: Measured
  /** What was found the last time, where that was good. */
  good?: readonly Probe[]
  readonly records: Map<string, ProbeRecord>
}

/** Of each server; what was measured serves for so long as `runProbes` says. */
const healthOf = memoised(
  (services: Services): Health => ({
    records: new Map(
      [...checksOf(services).keys()].map((name) => [name, { name, reason: undefined, runs: 0, failures: 0, milliseconds: 0 }]),
    ),
  }),
)

// Who asks for the health is not to wait for what does not answer.
const patienceMilliseconds = 5_000
// That something fails is soon found to be over.
const failedMilliseconds = 1_000

// A balancer waits a few seconds, and then takes the server for dead.
const slowMilliseconds = 1_000

/**
 * All probes; a good result serves for so long, so that watching the server costs it nothing. It also serves while the next is slow to
 * come: a busy server that were taken out of service for that would leave its work to others, until these are too busy as well.
 */
export async function runProbes(services: Services, healthyMillis: number): Promise<readonly Probe[]> {
  const health = healthOf(services)
  const { good } = health
  const latest = latestProbes(services, health, healthyMillis)
  if (good === undefined || hasKnownFlaw(services)) return latest
  const slow = Promise.withResolvers<readonly Probe[]>()
  const timer = setTimeout(() => slow.resolve(good), slowMilliseconds)
  return Promise.race([latest, slow.promise]).finally(() => clearTimeout(timer))
}

async function latestProbes(services: Services, health: Health, healthyMillis: number): Promise<readonly Probe[]> {
  const { last } = health
  if (last !== undefined && !hasKnownFlaw(services)) {
    const probes = await last.probes
    const lifetime = isHealthy(probes) ? healthyMillis : failedMilliseconds
    if (performance.now() - last.at < lifetime) return probes
  }
  const measuring = measure(services, health)
  health.last = { at: performance.now(), probes: measuring }
  return measuring
}

async function measure(services: Services, health: Health): Promise<readonly Probe[]> {
  const probes = await Promise.all([...checksOf(services)].map(([name, check]) => runCheck(services, name, check)))
  if (isHealthy(probes)) health.good = probes
  else delete health.good
  return probes
}

/** All of them, of which some may not have run yet. */
export function listProbeRecords(services: Services): readonly ProbeRecord[] {
  return [...healthOf(services).records.values()]
}

/** Runs one at once, whatever was measured before. Gives undefined where there is no such probe. */
export async function runProbe(services: Services, name: string): Promise<ProbeRecord | undefined> {
  const check = checksOf(services).get(name)
  if (check === undefined) return undefined
  await runCheck(services, name, check)
  return healthOf(services).records.get(name)
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

const diskNearlyFull = defineProblem(
  'diskNearlyFull',
  'failed',
  (of: { free: number; wanted: number }) =>
    `The data folder has ${Math.floor(of.free / 1e6)} MB left, less than the ${Math.ceil(of.wanted / 1e6)} MB of disk-min-free.`,
)

async function requireFreeSpace({ valuesOf }: Services): Promise<void> {
  const { bavail, bsize } = await statfs(valuesOf(serverSettings).data)
  const [free, wanted] = [bavail * bsize, valuesOf(statusSettings).diskMinFree]
  if (free < wanted) throw diskNearlyFull({ free, wanted })
}

async function runCheck(services: Services, name: string, check: Check): Promise<Probe> {
  const started = performance.now()
  const probe = await tryCheck(services, name, check)
  noteRun(healthOf(services), probe, performance.now() - started)
  return probe
}

function noteRun({ records }: Health, { name, isHealthy: isWell, reason }: Probe, milliseconds: number): void {
  const before = records.get(name)
  const lastRun = new Date()
  records.set(name, {
    ...before,
    name,
    isHealthy: isWell,
    reason: isWell ? undefined : reason,
    lastRun,
    [isWell ? 'lastSuccess' : 'lastFailure']: lastRun,
    runs: (before?.runs ?? 0) + 1,
    failures: (before?.failures ?? 0) + (isWell ? 0 : 1),
    milliseconds: Math.round(milliseconds),
  })
}

async function tryCheck(services: Services, name: string, check: Check): Promise<Probe> {
  const isVital = isVitalProbe(name)
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
