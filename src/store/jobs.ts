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
  /** Those that are not finished, in the order of arrival. */
  findAll(ids: readonly string[]): Promise<readonly Job[]>
  /** How many are waiting or running, of all kinds unless told: none means that all background work is done. */
  countPending(now: string, kinds?: readonly string[]): Promise<number>
  /** How many were given up. */
  countParked(): Promise<number>
}

export interface JobWriter extends JobReader {
  add(kind: string, payload: Json, options?: { readonly runAfter?: string }): Promise<void>
  /** Takes the next due job for `leaseSeconds`; another worker may take it again when the lease runs out. */
  claim(kinds: readonly string[], now: string, leaseSeconds: number): Promise<Job | undefined>
  /** Whoever is still at it keeps it for `leaseSeconds` more. */
  renew(id: string, now: string, leaseSeconds: number): Promise<void>
  finish(id: string): Promise<void>
  retry(id: string, runAfter: string, error: string): Promise<void>
  park(id: string, error: string): Promise<void>
}
