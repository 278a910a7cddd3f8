import type { Json } from '../base/json.ts'

/** Work to be done after the transaction that asked for it, at least once. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly payload: Json
  readonly attempts: number
  readonly runAfter: string
  readonly error: string | null
  readonly state: 'waiting' | 'running' | 'parked'
}

export interface JobReader {
  list(filter: { readonly kind?: string; readonly state?: Job['state'] }, limit: number): Promise<readonly Job[]>
  /** How many are waiting or running: none means that all background work is done. */
  countPending(now: string): Promise<number>
}

export interface JobWriter extends JobReader {
  add(kind: string, payload: Json, options?: { readonly runAfter?: string }): Promise<void>
  /** Takes the next due job for `leaseSeconds`; another worker may take it again when the lease runs out. */
  claim(kinds: readonly string[], now: string, leaseSeconds: number): Promise<Job | undefined>
  finish(id: string): Promise<void>
  retry(id: string, runAfter: string, error: string): Promise<void>
  park(id: string, error: string): Promise<void>
}
