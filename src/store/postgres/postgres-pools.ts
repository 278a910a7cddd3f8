import { setTimeout as delay } from 'node:timers/promises'
import pg, { type Client, type Pool, type PoolClient } from 'pg'
import type { Log } from '../../base/log.ts'
import type { PoolUse } from '../store-metrics.ts'
import type { PostgresServer } from './postgres-connection.ts'
import { type LockWaits, lockWaitsFor } from './postgres-transaction.ts'

export interface PoolOptions {
  readonly url: string
  readonly schema: string
  readonly searchMilliseconds: number
  readonly server: PostgresServer
  /** Called whenever a connection breaks. */
  readonly onLost: () => void
  /** Another server that follows this one, for searches. */
  readonly replica?: { readonly url: string; readonly server: PostgresServer }
  /** The server itself, past the pooler that `url` leads to. */
  readonly direct?: { readonly url: string; readonly server: PostgresServer }
  readonly log: Log
}

/**
 * Apart, because a transaction that reads beside itself must not wait for a connection that other transactions wait for likewise.
 */
export interface PostgresPools {
  readonly writing: Pool
  readonly reading: Pool
  readonly searching: Pool
  /** Searches on the replica. */
  readonly replica?: Pool
  /** For what takes long or needs a connection to itself, where there is a way past a pooler. */
  readonly direct?: Pool
  /** As the server's connections were found to have them. */
  lockWaits(): LockWaits
  /** Ends also when the server does not answer any more. */
  close(): Promise<void>
}

/** How long the statements of a connection may take, and wait for a lock. */
interface TimeLimits {
  /** Absent: as long as it takes. */
  readonly statementMilliseconds?: number
  readonly lockMilliseconds?: number
}

const closeMilliseconds = 5_000
// Connections for transactions; there are as many for reading, and half as many for searches.
const connections = 10
// Of a start, and of programs that take everything along; there are none while nobody needs one.
const directConnections = 4

export function openPools(options: PoolOptions): PostgresPools {
  const { searchMilliseconds, replica, direct } = options
  const clients = new Set<Client>()
  let lockWaits = lockWaitsFor(usualDeadlockMilliseconds)
  const open = (poolSize: number, limitsOf: (client: Client) => Promise<TimeLimits>) =>
    openPool(options, poolSize, clients, limitsOf)
  const whileWriting = async (client: Client) => {
    lockWaits = await readLockWaits(client)
    return { lockMilliseconds: lockWaits.firstMilliseconds }
  }
  const whileSearching = async () => ({ statementMilliseconds: searchMilliseconds })
  const pools = {
    writing: open(connections, whileWriting),
    reading: open(connections, async () => ({})),
    searching: open(Math.ceil(connections / 2), whileSearching),
    // It has nothing else to do.
    ...(replica && { replica: openPool({ ...options, ...replica, onLost: () => {} }, connections, clients, whileSearching) }),
    ...(direct && { direct: openPool({ ...options, ...direct }, directConnections, clients, whileWriting) }),
  }
  return {
    ...pools,
    lockWaits: () => lockWaits,
    async close() {
      const ended = Promise.all(Object.values(pools).map((pool) => pool.end()))
      await Promise.race([ended, delay(closeMilliseconds, undefined, { ref: false })])
      for (const client of clients) client.connection.stream.destroy()
    },
  }
}

/** How many connections of each pool are open, and how many of those do nothing. */
export function poolUse({ writing, reading, searching }: PostgresPools): readonly PoolUse[] {
  return Object.entries({ writing, reading, searching }).map(([pool, { totalCount, idleCount }]) => ({
    pool,
    idle: idleCount,
    busy: totalCount - idleCount,
  }))
}

function openPool(
  { url, schema, server, onLost, log }: PoolOptions,
  size: number,
  clients: Set<Client>,
  limitsOf: (client: Client) => Promise<TimeLimits>,
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Without it a body that asks for two things at once would have the second wait for the first one's answer.
    pipeline: true,
    onConnect: async (connected) => {
      const client = connected as PoolClient
      clients.add(client)
      client.once('end', () => clients.delete(client))
      client.on('error', (err) => {
        onLost()
        log.warn({ event: 'store.connectionLost', err }, 'database connection lost')
      })
      await server.watch.awaitAnswer(client, async () =>
        server.sharing.prepare(client, settingsOf(schema, await limitsOf(client))),
      )
    },
  })
  // Said already by the connection itself; without a listener it would end the process.
  pool.on('error', () => {})
  return pool
}

// A reader has no lock that transactions wait for, and waits so long for a transaction that has locked a whole table.
const readLockMilliseconds = 5_000
// The server's own default.
const usualDeadlockMilliseconds = 1_000

async function readLockWaits(client: Client): Promise<LockWaits> {
  // Not from pg_settings, which reads all of them for one.
  const { rows } = await client.query<{ milliseconds: string }>(
    "SELECT extract(epoch FROM current_setting('deadlock_timeout')::interval) * 1000 AS milliseconds",
  )
  return lockWaitsFor(Number(rows[0]?.milliseconds ?? usualDeadlockMilliseconds))
}

/**
 * Compiling costs short statements more than it gains. Reading out of order costs little on today's disks, and a page of a
 * folder is then taken in order from its index.
 */
function settingsOf(schema: string, limits: TimeLimits): readonly string[] {
  const { statementMilliseconds = 0, lockMilliseconds = readLockMilliseconds } = limits
  return [
    `search_path = ${pg.escapeIdentifier(schema)}`,
    'jit = off',
    'random_page_cost = 1.1',
    `lock_timeout = ${lockMilliseconds}`,
    `statement_timeout = ${statementMilliseconds}`,
  ]
}
