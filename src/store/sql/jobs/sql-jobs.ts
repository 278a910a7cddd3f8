import type { Sql } from 'sql-template-tag'
import { isoDate } from '../../../base/iso-date.ts'
import type { Json } from '../../../base/json.ts'
import type { AddedJob, BegunJob, Job, JobReader, JobWriter } from '../../jobs.ts'
import { parseStoredJson } from '../../storable-text.ts'
import type { SqlConnection, SqlRow } from '../connection.ts'
import type { Dialect } from '../dialect.ts'
import * as statements from './job-statements.ts'

// Before every clock, a test's included: due at once, and among its like in the order of arrival.
const atOnce = isoDate(new Date(0))

export function createJobReader(connection: SqlConnection, dialect: Dialect): JobReader {
  return {
    list: async (filter, limit, offset = 0) => (await connection.all(statements.jobsLike(filter, limit, offset))).map(jobOf),
    count: async (filter) => Number((await connection.get(statements.jobsLikeCount(filter)))?.[0] ?? 0),
    findAll: async (ids) => (await connection.all(statements.jobsById(dialect, ids.map(Number)))).map(jobOf),
    async countPending(now, kinds) {
      const count = kinds === undefined ? statements.pendingJobCount(now) : statements.pendingJobCountOf(dialect, now, kinds)
      return (await connection.get(count))?.[0] as number
    },
    async listDueKinds(now) {
      const rows = await connection.all(statements.dueKinds(now))
      return new Set(rows.map(([kind]) => kind as string))
    },
    countOf: async (owner, kinds) => (await connection.get(statements.jobCountOf(dialect, owner, kinds)))?.[0] as number,
    listBegun: async () => (await connection.all(statements.begunJobs(atOnce))).map(begunOf),
    countParked: async (kind) => (await connection.get(statements.parkedJobCount(kind)))?.[0] as number,
  }
}

/** Where the jobs of a transaction go beside the database. */
interface Added {
  onAdded(job: AddedJob): void
  requireKnown(kind: string): void
  currentTrace?(): string | null
}

export function createJobWriter(
  connection: SqlConnection,
  dialect: Dialect,
  { onAdded, requireKnown, currentTrace = () => null }: Added,
): JobWriter {
  /** The next owner of a due job who has fewer running, beginning behind the given one and with the first again. */
  async function findOwnerBelow(
    maxConcurrent: number,
    kinds: readonly string[],
    now: string,
    after: string | undefined,
  ): Promise<string | undefined> {
    for (const first of after === undefined ? [undefined] : [after, undefined]) {
      for (let passed = first; ; ) {
        const row = await connection.get(statements.nextOwner(kinds, now, statements.ownersAfter(passed)))
        if (row === undefined) break
        const owner = row[0] as string
        if (owner === '' || (await countRunning(owner, kinds)) < maxConcurrent) return owner
        passed = owner
      }
    }
    return undefined
  }

  const countRunning = async (owner: string, kinds: readonly string[]) =>
    (await connection.get(statements.runningJobCountOf(dialect, owner, kinds, atOnce)))?.[0] as number

  return {
    ...createJobReader(connection, dialect),
    async add(kind, payload, options) {
      requireKnown(kind)
      const { runAfter = atOnce, owner = '' } = options ?? {}
      await connection.run(statements.insertJob(kind, payload as Json, runAfter, owner, currentTrace()))
      onAdded({ kind, owner })
    },
    async claim(kinds, now, { after, maxConcurrent } = {}) {
      if (kinds.length === 0) return undefined
      const claimOf = (owners: Sql) => connection.get(statements.claimJob(dialect, kinds, now, signOfLife(now), owners))
      if (maxConcurrent !== undefined) {
        if (dialect.awaitOtherClaims !== undefined) await connection.get(dialect.awaitOtherClaims)
        const owner = await findOwnerBelow(maxConcurrent, kinds, now, after)
        const row = owner === undefined ? undefined : await claimOf(statements.ownerIs(owner))
        return row && jobOf(row)
      }
      // After the last owner comes the first again.
      const row =
        (await claimOf(statements.ownersAfter(after))) ??
        (after === undefined ? undefined : await claimOf(statements.ownersAfter(undefined)))
      return row && jobOf(row)
    },
    async renew(job, now) {
      await connection.run(statements.renewJob(job, signOfLife(now)))
    },
    goOn: async (job, payload) => (await connection.run(statements.goOnWithJob(job, payload))) === 1,
    end: async (job) => (await connection.run(statements.endJob(job))) === 1,
    async finish(id) {
      await connection.run(statements.deleteJob(Number(id)))
    },
    async retry(job, runAfter, error) {
      await connection.run(statements.retryJob(job, runAfter, error))
    },
    async park(job, error) {
      await connection.run(statements.parkJob(job, error))
    },
    free: async (job, due) => (await connection.run(statements.freeJob(job, due))) === 1,
    async resume(kind, id) {
      const isResumed = (await connection.run(statements.resumeJob(kind, Number(id), atOnce))) === 1
      if (isResumed) onAdded({ kind, owner: '' })
      return isResumed
    },
    discard: async (kind, id) => (await connection.run(statements.discardJob(kind, Number(id)))) === 1,
  }
}

/**
 * Nothing but another text each time: who watches asks whether it changed, and no clock. A time that is yet to come, because
 * servers of before took what was due by its time alone, and may still be there when the first of now starts.
 */
function signOfLife(now: string): string {
  return isoDate(new Date(Date.parse(now) + 300_000))
}

function begunOf([seq, attempts, state, due]: SqlRow): BegunJob {
  return { id: String(seq), attempts: attempts as number, state: state as BegunJob['state'], due: due as string }
}

function jobOf(row: SqlRow): Job {
  const [seq, kind, payload, attempts, runAfter, error, state, owner, trace] = row
  return {
    id: String(seq),
    kind: kind as string,
    payload: parseStoredJson(payload as string),
    attempts: attempts as number,
    runAfter: runAfter as string,
    error: error as string | null,
    state: state as Job['state'],
    owner: owner as string,
    trace: trace as string | null,
  }
}
