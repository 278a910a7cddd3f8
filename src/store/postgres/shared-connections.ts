import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import { processIdOf } from './server-watch.ts'

/**
 * A connection through a pooler, such as PgBouncer, that may have another process of the server run each transaction. What is set for the
 * connection, or prepared on it, would be met by others, and not by the next transaction here.
 */
export interface SharedConnection {
  /** What each transaction has to say first, as one text. */
  readonly preamble: string
  /** Whether the pooler sees to it that a statement is prepared wherever it runs. */
  readonly knowsNames: boolean
}

/** Which connections of a store are shared. */
export interface SharedConnections {
  find(client: Client): SharedConnection | undefined
  /** Has the connection run its statements with these settings, each as in SET: once for all, or in each transaction where it is shared. */
  prepare(client: Client, settings: readonly string[]): Promise<void>
}

/** @param areAll they lead through a pooler, whatever can be seen of it. */
export function createSharedConnections(areAll: boolean): SharedConnections {
  const shared = new WeakMap<Client, SharedConnection>()
  return {
    find: (client) => shared.get(client),
    async prepare(client, settings) {
      if (!areAll && !(await isShared(client))) {
        await client.query(settings.map((setting) => `SET ${setting}`).join('; '))
        return
      }
      shared.set(client, {
        preamble: settings.map((setting) => `SET LOCAL ${setting}`).join('; '),
        knowsNames: await areNamesKnown(client),
      })
    },
  }
}

/** A pooler gives each connection a number of its own, and not that of the server's process. */
export async function isShared(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id')
  return rows[0]?.id !== processIdOf(client)
}

/**
 * A pooler that knows prepared statements, as PgBouncer does from 1.21 on where max_prepared_statements is not 0, gives each a name of its
 * own on the server. One that does not hands our name on, which the next process of the server would know nothing of.
 */
async function areNamesKnown(client: Client): Promise<boolean> {
  const name = `quire_${randomUUID()}`
  const text = 'SELECT count(*)::integer AS seen FROM pg_prepared_statements WHERE name = $1'
  await client.query('BEGIN')
  const { rows } = await client.query<{ seen: number }>({ name, text, values: [name] })
  const isHandedOn = rows[0]?.seen !== 0
  if (isHandedOn) await client.query(`DEALLOCATE "${name}"`)
  await client.query('COMMIT')
  return !isHandedOn
}
