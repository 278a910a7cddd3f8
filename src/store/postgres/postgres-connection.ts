import { createHash } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { databaseUnreachable } from '../problems.ts'
import type { Row, SqlConnection, Statement } from '../sql/connection.ts'
import { isPostgresUnreachable } from './postgres-errors.ts'

// smallint, integer and bigint; no number of ours is beyond 2^53. All else stays text: the statements' readers parse it.
const numberTypes: ReadonlySet<number> = new Set([21, 23, 20])
const types = { getTypeParser: (type: number) => (numberTypes.has(type) ? Number : asText) }

function asText(text: string): string {
  return text
}

/** Statements on any connection of a pool, or on one. */
export function connectionOver(client: Pool | PoolClient, address: string): SqlConnection {
  const query = ({ text, values }: Statement) =>
    reaching(address, () =>
      client.query<(string | number | null)[]>({ name: nameOf(text), text, values, types, rowMode: 'array' }),
    )
  return {
    all: async (statement) => (await query(statement)).rows,
    get: async (statement): Promise<Row | undefined> => (await query(statement)).rows[0],
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  }
}

/** @throws databaseUnreachable when it fails for want of the server. */
export async function reaching<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw isPostgresUnreachable(error) ? databaseUnreachable({ address }, { cause: error }) : error
  }
}

// The server keeps a named statement as long as the connection lives, so only so many texts get a name.
const mostNames = 1_000
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= mostNames) return known
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22)
  names.set(text, name)
  return name
}
