import { setTimeout as pause } from 'node:timers/promises'
import type { Deployment } from './deployment.ts'

/** A time in which something was away, until all of it was seen to be back; milliseconds of `performance.now()`. */
export interface FaultWindow {
  readonly fault: FaultName
  readonly from: number
  /** Open as long as it lasts. */
  to: number
}

/** So long after all is back may what was under way still fail. */
export const graceMilliseconds = 3_000

/** How long each stays away before somebody, or something, brings it back. */
export interface FaultTimes {
  readonly serverMilliseconds: number
  readonly databaseMilliseconds: number
}

type Fault = (deployment: Deployment, times: FaultTimes, round: number) => Promise<void>

/** What happens to a deployment, and how it is brought back: what is killed is killed with all its processes at once. */
const faults = {
  async 'server killed'({ servers }, { serverMilliseconds }, round) {
    const victim = servers[round % servers.length]
    await victim?.kill()
    await pause(serverMilliseconds)
    await victim?.start()
  },
  async 'replica killed'({ postgres }, { databaseMilliseconds }) {
    await postgres?.replica.kill()
    await pause(databaseMilliseconds)
    await postgres?.replica.start()
  },
  'connections cut': (deployment) => deployment.cutConnections(),
  async 'primary restarted'({ postgres }) {
    await postgres?.primary.stop()
    await postgres?.primary.start()
  },
  async 'primary killed'({ postgres }, { databaseMilliseconds }) {
    await postgres?.primary.kill()
    await pause(databaseMilliseconds)
    await postgres?.primary.start()
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults
export const faultNames = Object.keys(faults) as FaultName[]

/** Does it, and waits until the balancer finds all servers ready. */
export async function undergo(
  deployment: Deployment,
  fault: FaultName,
  round: number,
  times: FaultTimes,
  windows: FaultWindow[],
): Promise<void> {
  const window: FaultWindow = { fault, from: performance.now(), to: Number.POSITIVE_INFINITY }
  windows.push(window)
  await (faults[fault] as Fault)(deployment, times, round)
  // The balancer has to have looked since.
  await pause(500)
  while (!deployment.isReady()) await pause(20)
  window.to = performance.now()
}

/** The window in which any moment of this time lies; its grace belongs to it. */
export function windowOf(
  windows: readonly FaultWindow[],
  { started, ended }: { readonly started: number; readonly ended: number },
): FaultWindow | undefined {
  return windows.find(({ from, to }) => ended >= from && started <= to + graceMilliseconds)
}
