import { isoDate } from '../../base/iso-date.ts'
import type { Job, JobReader, JobWriter } from '../jobs.ts'
import type { Row, SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'
import * as statements from './job-statements.ts'
import { parseStoredJson } from './stored-json.ts'

export function createJobReader(connection: SqlConnection, dialect: Dialect): JobReader {
  return {
    list: async (filter, limit) => (await connection.all(statements.jobsLike(filter, limit))).map(jobOf),
    findAll: async (ids) => (await connection.all(statements.jobsById(dialect, ids.map(Number)))).map(jobOf),
    async countPending(now, kinds) {
      const count = kinds === undefined ? statements.pendingJobCount(now) : statements.pendingJobCountOf(dialect, now, kinds)
      return (await connection.get(count))?.[0] as number
    },
    countParked: async () => (await connection.get(statements.parkedJobCount))?.[0] as number,
  }
}

// Before every clock, a test's included: due at once, and among its like in the order of arrival.
const atOnce = isoDate(new Date(0))

export function createJobWriter(connection: SqlConnection, dialect: Dialect, onAdded: () => void): JobWriter {
  return {
    ...createJobReader(connection, dialect),
    async add(kind, payload, options) {
      await connection.run(statements.insertJob(kind, payload, options?.runAfter ?? atOnce))
      onAdded()
    },
    async claim(kinds, now, leaseSeconds) {
      const row = await connection.get(statements.claimJob(dialect, kinds, now, secondsAfter(now, leaseSeconds)))
      return row && jobOf(row)
    },
    async renew(id, now, leaseSeconds) {
      await connection.run(statements.renewJob(Number(id), secondsAfter(now, leaseSeconds)))
    },
    async finish(id) {
      await connection.run(statements.deleteJob(Number(id)))
    },
    async retry(id, runAfter, error) {
      await connection.run(statements.retryJob(Number(id), runAfter, error))
    },
    async park(id, error) {
      await connection.run(statements.parkJob(Number(id), error))
    },
  }
}

function secondsAfter(now: string, seconds: number): string {
  return isoDate(new Date(Date.parse(now) + seconds * 1_000))
}

function jobOf(row: Row): Job {
  const [seq, kind, payload, attempts, runAfter, error, state] = row
  return {
    id: String(seq),
    kind: kind as string,
    payload: parseStoredJson(payload as string),
    attempts: attempts as number,
    runAfter: runAfter as string,
    error: error as string | null,
    state: state as Job['state'],
  }
}
