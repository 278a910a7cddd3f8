import { type FaultWindow, faultNames, graceMilliseconds, windowOf } from '../faults/deployment/faults.ts'
import { type DeploymentOutcome, runDeployment } from '../faults/deployment/run-deployment.ts'
import { isFailure, type Measured } from '../faults/deployment/traffic.ts'
import { median, p99 } from '../search/heavy-query/latencies.ts'

export interface DeploymentStress {
  readonly minutes: number
  readonly rate: number
  readonly seed: number
}

/** All of them happen so far apart. */
const secondsBetweenFaults = 55
const times = { serverMilliseconds: 5_000, databaseMilliseconds: 10_000 }

/**
 * Brings up two servers, a PostgreSQL with a replica, an object store and a balancer, sends them requests at a rate for so long, and has one
 * after the other killed meanwhile. Gives whether all promises were kept.
 */
export async function stressDeployment({ minutes, rate, seed }: DeploymentStress): Promise<boolean> {
  console.log(`a deployment of two servers for ${minutes} minutes at ${rate} requests/s, seed ${seed}`)
  const seconds = minutes * 60
  const count = Math.max(1, Math.floor(seconds / secondsBetweenFaults) - 1)
  const faults = Array.from({ length: count }, (_, at) => faultNames[at % faultNames.length] ?? 'server killed')
  const onProgress = (sentence: string) => console.log(`  ${sentence}`)
  const outcome = await runDeployment({ seconds, rate, seed, faults, times, onProgress })
  tell(outcome, rate)
  const { broken } = outcome.ledger
  for (const sentence of broken.slice(0, 50)) console.log(`  ${sentence}`)
  const isSound = broken.length === 0
  console.log(isSound ? 'ok     all promises were kept' : `FAILED ${broken.length} promises were broken`)
  if (!isSound) console.log(`To repeat: npm run stress -- deployment --minutes ${minutes} --rate ${rate} --seed ${seed}`)
  return isSound
}

function tell({ ledger, measured, windows, held, logged }: DeploymentOutcome, rate: number): void {
  const underLoad = measured.filter(({ kind }) => kind !== 'compared')
  const [from, to] = [underLoad[0]?.started ?? 0, underLoad.at(-1)?.ended ?? 0]
  const reached = (1_000 * underLoad.length) / (to - from)
  console.log(`${underLoad.length} requests, ${reached.toFixed(0)}/s of ${rate}/s; ${held} not sent as too many were under way`)
  console.log(
    `${ledger.acknowledged} changes acknowledged, ${ledger.unanswered} unanswered, ${ledger.documents.length} documents`,
  )
  console.log('kind · requests · p50 · p99 with all up, p99 of all (ms) · errors while something was down · errors otherwise')
  for (const [kind, ofKind] of Map.groupBy(underLoad, (one) => one.kind)) tellKind(kind, ofKind, windows)
  for (const [fault, ofFault] of Map.groupBy(windows, (window) => window.fault)) tellFault(fault, ofFault, underLoad)
  const reasons = Map.groupBy(underLoad.filter(isFailure), ({ status, reason }) => `${status} ${reason}`)
  for (const [reason, { length }] of reasons) console.log(`  answered ${length} times: ${reason}`)
  const events = Map.groupBy(logged.map(eventOf), (event) => event)
  for (const [event, { length }] of events) console.log(`  logged ${length} times: ${event}`)
}

function tellKind(kind: string, measured: readonly Measured[], windows: readonly FaultWindow[]): void {
  const took = (ones: readonly Measured[]) => ones.map(({ started, ended }) => ended - started)
  const quiet = measured.filter((one) => windowOf(windows, one) === undefined)
  const failed = measured.filter(isFailure)
  const outside = failed.filter((one) => windowOf(windows, one) === undefined).length
  const latencies = [median(took(quiet)), p99(took(quiet)), p99(took(measured))].map((value) => value.toFixed(1))
  console.log(
    `${kind} · ${measured.length} · ${latencies.join(' · ')} · ${failed.length - outside} ${statusesOf(failed)}· ${outside}`,
  )
}

function statusesOf(failed: readonly Measured[]): string {
  const byStatus = Map.groupBy(failed, ({ status }) => status)
  const words = [...byStatus].map(([status, { length }]) => `${length} × ${status || 'no answer'}`)
  return words.length === 0 ? '' : `(${words.join(', ')}) `
}

function tellFault(fault: string, windows: readonly FaultWindow[], measured: readonly Measured[]): void {
  const rounds = windows.map((window) => {
    const inside = measured.filter((one) => windowOf([window], one) !== undefined)
    const failed = inside.filter(isFailure)
    const first = Math.min(...failed.map(({ started }) => started))
    const last = Math.max(...failed.map(({ ended }) => ended))
    const outage = failed.length === 0 ? 0 : (last - first) / 1_000
    return { away: (window.to - window.from) / 1_000, errors: failed.length, of: inside.length, outage }
  })
  const shown = rounds.map(
    ({ away, errors, of, outage }) => `${away.toFixed(1)} s, ${errors} errors of ${of} in ${outage.toFixed(1)} s`,
  )
  console.log(`${fault} (and ${graceMilliseconds / 1_000} s of grace): ${shown.join('; ')}`)
}

function eventOf(line: string): string {
  try {
    const { level, event, msg } = JSON.parse(line)
    return `${level} ${event ?? ''} ${msg}`
  } catch {
    return line.slice(0, 200)
  }
}
