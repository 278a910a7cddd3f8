import type { Json } from '../base/json.ts'
import type { HeldBy } from '../base/typed-name.ts'

/** Work to be done after the transaction that asked for it, at least once. */
export interface Job {
  readonly id: string
  readonly kind: string
  readonly payload: Json
  readonly attempts: number
  readonly runAfter: string
  readonly error: string | null
  readonly state: 'waiting' | 'running' | 'parked'
  /** The user who caused it; empty for work of the server itself. */
  readonly owner: string
  /** What it is a part of (`traceparent`); null where that is not recorded. */
  readonly trace: string | null
}

/** Whose job is claimed next: owners are served round robin, however many jobs each of them has. */
export interface RoundRobin {
  /** The owner of the job claimed last. */
  readonly after?: string | undefined
  /** Of the jobs of one owner. */
  readonly maxConcurrent?: number | undefined
}

/** What workers are told of one that they may take: whose it is, and empty where it is not known. */
export type AddedJob = Pick<Job, 'kind' | 'owner'>

/** One that a worker has taken: its attempts tell it from the workers that had it before. */
export type ClaimedJob = Pick<Job, 'id' | 'attempts'>

/** One that was claimed and is not over: it is running, or was put off. */
export interface BegunJob extends ClaimedJob {
  readonly state: 'running' | 'waiting'
  /** Of a running one another text whenever its worker gives a sign of life; of a waiting one its time. */
  readonly due: string
}

export interface JobFilter {
  readonly kind?: string
  readonly state?: Job['state']
}

export interface JobReader {
  list(filter: JobFilter, limit: number, offset?: number): Promise<readonly Job[]>
  /** How many `list` would give without a limit. */
  count(filter: JobFilter): Promise<number>
  /** Those that are not finished, in the order of arrival. */
  findAll(ids: readonly string[]): Promise<readonly Job[]>
  /** How many are waiting or running, of all kinds unless told: none means that all background work is done. */
  countPending(now: string, kinds?: readonly string[]): Promise<number>
  /** The kinds of those that a worker could take now. */
  listDueKinds(now: string): Promise<ReadonlySet<string>>
  /** How many of an owner's are waiting or running. */
  countOf(owner: string, kinds: readonly string[]): Promise<number>
  /** In the order of arrival. */
  listBegun(): Promise<readonly BegunJob[]>
  /** How many were given up, of all kinds unless told. */
  countParked(kind?: string): Promise<number>
}

export interface JobWriter extends JobReader {
  add<Kind extends string>(
    kind: Kind,
    payload: HeldBy<Kind>,
    options?: { readonly runAfter?: string; readonly owner?: string },
  ): Promise<void>
  /** Takes the next due job. */
  claim(kinds: readonly string[], now: string, roundRobin?: RoundRobin): Promise<Job | undefined>
  /** A sign of life of its worker. No effect on a job that another worker claimed meanwhile, here as in what follows. */
  renew(job: ClaimedJob, now: string): Promise<void>
  /** What it is to do when it is run again. Gives whether the worker still has it. */
  goOn(job: ClaimedJob, payload: Json): Promise<boolean>
  /** Removes it. Gives whether the worker still had it. */
  end(job: ClaimedJob): Promise<boolean>
  finish(id: string): Promise<void>
  retry(job: ClaimedJob, runAfter: string, error: string): Promise<void>
  park(job: ClaimedJob, error: string): Promise<void>
  /** Lets other workers claim it from then on, unless it has changed since it was listed. Gives whether it did. */
  free(job: BegunJob, due: string): Promise<boolean>
  /** Has a parked one of the kind tried anew, as often as a new one. Gives whether there was such a one. */
  resume(kind: string, id: string): Promise<boolean>
  /** Removes a parked one of the kind. Gives whether there was such a one. */
  discard(kind: string, id: string): Promise<boolean>
}
