import sql, { join, raw } from 'sql-template-tag'
import type { Json } from '../../base/json.ts'
import type { Job } from '../jobs.ts'
import type { Dialect } from './dialect.ts'
import { madeStorable, storableJson } from './stored-json.ts'

const jobColumns = raw('seq, kind, payload, attempts, run_after, error, state')

export const insertJob = (kind: string, payload: Json, runAfter: string) => sql`
  INSERT INTO jobs (kind, payload, state, attempts, run_after, due)
  VALUES (${kind}, ${storableJson(payload)}, 'waiting', 0, ${runAfter}, ${runAfter})`

/** Served by jobs_by_due. Workers that come at the same time take different ones. */
export const claimJob = (dialect: Dialect, kinds: readonly string[], now: string, leaseEnd: string) => sql`
  UPDATE jobs SET state = 'running', attempts = attempts + 1, due = ${leaseEnd}
   WHERE seq = (SELECT seq FROM jobs
                 WHERE due <= ${now} AND kind ${dialect.oneOfTexts(kinds)}
                 ORDER BY due, seq LIMIT 1 ${dialect.skipLocked})
  RETURNING ${jobColumns}`

/** Served by the primary key. One that another took meanwhile is theirs. */
export const renewJob = (seq: number, leaseEnd: string) =>
  sql`UPDATE jobs SET due = ${leaseEnd} WHERE seq = ${seq} AND state = 'running'`

/** Served by the primary key. */
export const deleteJob = (seq: number) => sql`DELETE FROM jobs WHERE seq = ${seq}`

/** Served by the primary key. */
export const retryJob = (seq: number, runAfter: string, error: string) => sql`
  UPDATE jobs SET state = 'waiting', run_after = ${runAfter}, due = ${runAfter}, error = ${madeStorable(error)} WHERE seq = ${seq}`

/** Served by the primary key. */
export const parkJob = (seq: number, error: string) =>
  sql`UPDATE jobs SET state = 'parked', due = NULL, error = ${madeStorable(error)} WHERE seq = ${seq}`

/** Served by the primary key, in the order of arrival. */
export const jobsLike = (filter: { readonly kind?: string; readonly state?: Job['state'] }, limit: number) => {
  const conditions = [sql`true`]
  if (filter.kind !== undefined) conditions.push(sql`kind = ${filter.kind}`)
  if (filter.state !== undefined) conditions.push(sql`state = ${filter.state}`)
  return sql`SELECT ${jobColumns} FROM jobs WHERE ${join(conditions, ' AND ')} ORDER BY seq LIMIT ${limit}`
}

/** Served by the primary key, a look-up for each. */
export const jobsById = (dialect: Dialect, seqs: readonly number[]) =>
  sql`SELECT ${jobColumns} FROM jobs WHERE seq ${dialect.oneOfNumbers(seqs)} ORDER BY seq`

/** Served by jobs_by_due. What was planned for later and never begun does not count; a failed one that waits does. */
export const pendingJobCount = (now: string) => sql`
  SELECT count(*) FROM jobs WHERE due IS NOT NULL AND (due <= ${now} OR attempts > 0)`

/** The same for some kinds. */
export const pendingJobCountOf = (dialect: Dialect, now: string, kinds: readonly string[]) => sql`
  SELECT count(*) FROM jobs
   WHERE due IS NOT NULL AND (due <= ${now} OR attempts > 0) AND kind ${dialect.oneOfTexts(kinds)}`

/** Goes through all jobs, of which there are few. */
export const parkedJobCount = sql`SELECT count(*) FROM jobs WHERE state = 'parked'`
