import type { Sql } from 'sql-template-tag'
import type { IsoDate } from '../../../base/iso-date.ts'
import type { SqlStatement } from '../connection.ts'

/** What one run of a query brings; all else in its statement comes from the query. */
export interface SearchRun {
  readonly now: IsoDate
  readonly readableAcps: readonly number[]
  readonly limit: number
  readonly offset: number
  readonly user?: string | undefined
}

/** Stands among the values of a statement for one that every run brings anew. */
export type Slot = (run: SearchRun) => unknown

export type AcpsSlot = (run: SearchRun) => readonly number[]

export const limitSlot: Slot = (run) => run.limit
export const offsetSlot: Slot = (run) => run.offset

/** A statement put together once, to be run with other values again and again. */
export type PreparedStatement = (run: SearchRun) => SqlStatement

export function prepare(template: Sql, nxql: string): PreparedStatement {
  const { sql, text, values } = template
  return (run) => ({ nxql, user: run.user, sql, text, values: values.map((value) => (isSlot(value) ? value(run) : value)) })
}

function isSlot(value: unknown): value is Slot {
  return typeof value === 'function'
}
