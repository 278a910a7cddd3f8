import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Json } from '../../../base/json.ts'
import type { BegunJob, ClaimedJob, JobFilter } from '../../jobs.ts'
import { madeStorable, storableJson } from '../../storable-text.ts'
import type { Dialect } from '../dialect.ts'

const jobColumns = raw('seq, kind, payload, attempts, run_after, error, state, owner, trace')

export const insertJob = (kind: string, payload: Json, runAfter: string, owner: string, trace: string | null) => sql`
  INSERT INTO jobs (kind, payload, state, attempts, run_after, due, owner, trace)
  VALUES (${kind}, ${storableJson(payload)}, 'waiting', 0, ${runAfter}, ${runAfter}, ${madeStorable(owner)}, ${trace})`

/**
 * Served by jobs_by_turn, a look for each kind: the next job of the owners after a given one. Workers that claim at the same time take
 * different ones.
 */
export const claimJob = (dialect: Dialect, kinds: readonly string[], now: string, sign: string, owners: Sql) => sql`
  UPDATE jobs SET state = 'running', attempts = attempts + 1, due = ${sign}
   WHERE seq = (SELECT seq FROM (${firstOfEach(kinds, now, owners, dialect.skipLocked)}) AS firsts
                 ORDER BY owner, due, seq LIMIT 1)
  RETURNING ${jobColumns}`

/** Served by jobs_by_turn, a look for each kind: the next owner, however many jobs there are of those before it or of other kinds. */
export const nextOwner = (kinds: readonly string[], now: string, owners: Sql) =>
  sql`SELECT owner FROM (${firstOfEach(kinds, now, owners)}) AS firsts ORDER BY owner LIMIT 1`

/** Each by itself: looking for several kinds at once would go through all their jobs, or through those of others. */
const firstOfEach = (kinds: readonly string[], now: string, owners: Sql, lock: Sql = empty) =>
  join(
    kinds.map(
      (kind) => sql`
    SELECT seq, owner, due FROM (
      SELECT seq, owner, due FROM jobs
       WHERE kind = ${kind} AND due <= ${now} AND state = 'waiting' AND ${owners}
       ORDER BY owner, due, seq LIMIT 1 ${lock}) AS first`,
    ),
    ' UNION ALL ',
  )

/** All of them with a bound too, or SQLite would look by kind and time, and sort all that wait. */
export const ownersAfter = (owner: string | undefined) => (owner === undefined ? sql`owner >= ''` : sql`owner > ${owner}`)

export const ownerIs = (owner: string) => sql`owner = ${owner}`

/** Served by jobs_by_turn: of the many that may wait, those that were never begun are due since `always`. */
export const runningJobCountOf = (dialect: Dialect, owner: string, kinds: readonly string[], always: string) => sql`
  SELECT count(*) FROM jobs
   WHERE kind ${dialect.oneOfTexts(kinds)} AND owner = ${owner} AND due > ${always} AND state = 'running'`

/** Served by jobs_by_turn. */
export const jobCountOf = (dialect: Dialect, owner: string, kinds: readonly string[]) => sql`
  SELECT count(*) FROM jobs WHERE kind ${dialect.oneOfTexts(kinds)} AND owner = ${madeStorable(owner)} AND due IS NOT NULL`

/** Served by the primary key. */
export const renewJob = (job: ClaimedJob, sign: string) =>
  sql`UPDATE jobs SET due = ${sign} WHERE ${claimed(job)} AND state = 'running'`

/** Served by the primary key. */
export const goOnWithJob = (job: ClaimedJob, payload: Json) =>
  sql`UPDATE jobs SET payload = ${storableJson(payload)} WHERE ${claimed(job)} AND state = 'running'`

/** Served by the primary key. */
export const endJob = (job: ClaimedJob) => sql`DELETE FROM jobs WHERE ${claimed(job)} AND state = 'running'`

/** Served by the primary key. */
export const deleteJob = (seq: number) => sql`DELETE FROM jobs WHERE seq = ${seq}`

/** Served by the primary key. */
export const retryJob = (job: ClaimedJob, runAfter: string, error: string) => sql`
  UPDATE jobs SET state = 'waiting', run_after = ${runAfter}, due = ${runAfter}, error = ${madeStorable(error)} WHERE ${claimed(job)}`

/** Served by the primary key. */
export const parkJob = (job: ClaimedJob, error: string) =>
  sql`UPDATE jobs SET state = 'parked', due = NULL, error = ${madeStorable(error)} WHERE ${claimed(job)}`

/** Served by the primary key. */
export const freeJob = (job: BegunJob, due: string) => sql`
  UPDATE jobs SET state = 'waiting', due = ${due} WHERE ${claimed(job)} AND state = ${job.state} AND due = ${job.due}`

const claimed = ({ id, attempts }: ClaimedJob) => sql`seq = ${Number(id)} AND attempts = ${attempts}`

/** Served by the primary key, in the order of arrival. */
export const jobsLike = (filter: JobFilter, limit: number, offset: number) =>
  sql`SELECT ${jobColumns} FROM jobs WHERE ${fitting(filter)} ORDER BY seq LIMIT ${limit} OFFSET ${offset}`

export const jobsLikeCount = (filter: JobFilter) => sql`SELECT count(*) FROM jobs WHERE ${fitting(filter)}`

function fitting({ kind, state }: JobFilter) {
  const conditions = [sql`true`]
  if (kind !== undefined) conditions.push(sql`kind = ${kind}`)
  if (state !== undefined) conditions.push(sql`state = ${state}`)
  return join(conditions, ' AND ')
}

/** Served by jobs_by_due: of the many that may wait, those that were never begun are due since `always`. */
export const begunJobs = (always: string) => sql`
  SELECT seq, attempts, state, due FROM jobs WHERE due > ${always} AND attempts > 0 ORDER BY seq`

/** Served by the primary key, a look-up for each. */
export const jobsById = (dialect: Dialect, seqs: readonly number[]) =>
  sql`SELECT ${jobColumns} FROM jobs WHERE seq ${dialect.oneOfNumbers(seqs)} ORDER BY seq`

/** Served by jobs_by_due. What was planned for later and never begun does not count; a failed one that waits does. */
export const pendingJobCount = (now: string) => sql`
  SELECT count(*) FROM jobs WHERE due IS NOT NULL AND (due <= ${now} OR attempts > 0)`

/** Served by jobs_by_kind: a look for the next kind that there is, and one for whether it has a job that is due. */
export const dueKinds = (now: string) => sql`
  WITH RECURSIVE kinds(kind) AS (
    SELECT min(kind) FROM jobs WHERE due IS NOT NULL
    UNION ALL
    SELECT (SELECT min(jobs.kind) FROM jobs WHERE due IS NOT NULL AND jobs.kind > kinds.kind) FROM kinds WHERE kinds.kind IS NOT NULL)
  SELECT kind FROM kinds
   WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.kind = kinds.kind AND due <= ${now} AND state = 'waiting')`

/** Like `pendingJobCount`, for some kinds. */
export const pendingJobCountOf = (dialect: Dialect, now: string, kinds: readonly string[]) => sql`
  SELECT count(*) FROM jobs
   WHERE due IS NOT NULL AND (due <= ${now} OR attempts > 0) AND kind ${dialect.oneOfTexts(kinds)}`

/** Goes through all jobs, of which there are few. */
export const parkedJobCount = (kind: string | undefined) =>
  sql`SELECT count(*) FROM jobs WHERE state = 'parked' AND ${kind === undefined ? sql`true` : sql`kind = ${kind}`}`

/** Served by the primary key. */
export const resumeJob = (kind: string, seq: number, due: string) => sql`
  UPDATE jobs SET state = 'waiting', attempts = 0, run_after = ${due}, due = ${due}
   WHERE seq = ${seq} AND state = 'parked' AND kind = ${kind}`

/** Served by the primary key. */
export const discardJob = (kind: string, seq: number) =>
  sql`DELETE FROM jobs WHERE seq = ${seq} AND state = 'parked' AND kind = ${kind}`
