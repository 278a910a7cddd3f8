import sql, { raw } from 'sql-template-tag'
import { defineProblem } from '../../base/problem.ts'
import type { SqlConnection } from './connection.ts'
import type { Dialect } from './dialect.ts'

// A database that rows are being copied into says so, in a table of one row, until a server has opened the finished copy.
const table = 'copy_mark'

/** What is being copied there, and whether all of it has come. */
export interface CopyMark {
  /** The id that the source has in common with its files. */
  readonly source: string
  readonly isComplete: boolean
}

export const copyUnfinished = defineProblem(
  'copyUnfinished',
  'conflict',
  (_: object) =>
    'This database is a copy that was not finished. Give the command that copies once more (quire copy or quire restore): it goes on where it was.',
)

export async function findCopyMark(connection: SqlConnection, dialect: Dialect): Promise<CopyMark | undefined> {
  const names = (await connection.all(dialect.tableNames)).map(([name]) => name)
  if (!names.includes(table)) return undefined
  const row = await connection.get(sql`SELECT source, is_complete FROM copy_mark`)
  return { source: String(row?.[0]), isComplete: row?.[1] === 1 }
}

export async function addCopyMark(connection: SqlConnection, { columns, tableOptions }: Dialect, source: string): Promise<void> {
  await connection.run(
    raw(`CREATE TABLE ${table} (source ${columns.text} NOT NULL, is_complete ${columns.flag} NOT NULL)${tableOptions}`),
  )
  await connection.run(sql`INSERT INTO copy_mark (source, is_complete) VALUES (${source}, 0)`)
}

export async function setCopyComplete(connection: SqlConnection, isComplete: boolean): Promise<void> {
  await connection.run(sql`UPDATE copy_mark SET is_complete = ${isComplete ? 1 : 0}`)
}

/** For programs beside a server. @throws copyUnfinished */
export async function requireFinished(connection: SqlConnection, dialect: Dialect): Promise<void> {
  if ((await findCopyMark(connection, dialect))?.isComplete === false) throw copyUnfinished({})
}

/**
 * For a server, which from here on writes what the source has not: a copy that is done is a copy no more, so that nothing brings it
 * back to what the source was.
 * @throws copyUnfinished
 */
export async function endCopy(connection: SqlConnection, dialect: Dialect): Promise<void> {
  const mark = await findCopyMark(connection, dialect)
  if (mark === undefined) return
  if (!mark.isComplete) throw copyUnfinished({})
  await connection.run(raw(`DROP TABLE ${table}`))
}
