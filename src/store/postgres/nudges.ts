import { randomUUID } from 'node:crypto'
import pg from 'pg'
import sql from 'sql-template-tag'
import type { Log } from '../../base/log.ts'
import type { SqlConnection } from '../sql/connection.ts'
import { isShared } from './shared-connections.ts'

/** Words between the processes on one schema that something was committed which others wait for. */
export interface Nudges {
  /** Tells all others soon, and at once where nothing was told a moment ago. Best effort. */
  send(): void
  /** Gives the function that ends it. */
  listen(listener: () => void): () => void
  end(): Promise<void>
}

export interface NudgeOptions {
  /** Of the server itself, past any pooler. */
  readonly url: string
  readonly schema: string
  readonly connection: Pick<SqlConnection, 'all'>
  readonly log: Log
}

const channel = 'quire_commits'
/**
 * A transaction that notifies waits for all others that do, from before its commit until after it. So what is told is a transaction of its
 * own, and of a process that writes without a pause there are 20 in a second.
 */
const pauseMilliseconds = 50
const reconnectMilliseconds = 1_000

/** While somebody listens there is a connection for it, made anew when it breaks. */
export function createNudges({ url, schema, connection, log }: NudgeOptions): Nudges {
  const own = `${schema} ${randomUUID()}`
  const listeners = new Set<() => void>()
  let ear: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  let isEnded = false
  let isDeaf = false
  let isPausing = false
  let isDue = false

  function hear({ payload = '' }: pg.Notification): void {
    if (payload === own || !payload.startsWith(`${schema} `)) return
    for (const listener of listeners) listener()
  }

  function open(): void {
    if (ear !== undefined || isEnded || isDeaf) return
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // By which operators know it among the others.
      application_name: `quire listens to ${schema}`,
    })
    ear = client
    const lose = (err?: unknown) => {
      if (ear !== client) return
      close().catch(() => {})
      log.debug({ event: 'store.nudgesLost', err }, 'commits of other processes are looked for, and not heard of')
      if (listeners.size > 0 && !isEnded && !isDeaf) retry = setTimeout(open, reconnectMilliseconds).unref()
    }
    client.on('notification', hear).on('error', lose).on('end', lose)
    client
      .connect()
      .then(() => requireOwn(client))
      .then(() => client.query(`LISTEN ${channel}`))
      // What was told before it heard anything.
      .then(() => listeners.forEach((listener) => void listener()))
      .catch(lose)
  }

  /** Through a pooler somebody else would hear. What others committed is then looked for, ten times a second. */
  async function requireOwn(client: pg.Client): Promise<void> {
    if (!(await isShared(client))) return
    isDeaf = true
    log.info({ event: 'store.nudgesPooled' }, 'a pooler is before the database: name the way past it in databaseDirectUrl')
    throw new Error('A pooler is before the database.')
  }

  async function close(): Promise<void> {
    clearTimeout(retry)
    const client = ear
    ear = undefined
    await client?.end()
  }

  async function tell(): Promise<void> {
    isDue = false
    isPausing = true
    try {
      await connection.all(sql`SELECT pg_notify(${channel}, ${own})`)
    } catch (err) {
      log.debug({ event: 'store.nudgeFailed', err }, 'other processes could not be told of a commit, and will find it')
    }
    setTimeout(() => {
      isPausing = false
      if (isDue && !isEnded) tell()
    }, pauseMilliseconds).unref()
  }

  return {
    send() {
      isDue = true
      if (!isPausing && !isEnded) tell()
    },
    listen(listener) {
      listeners.add(listener)
      open()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) close().catch(() => {})
      }
    },
    async end() {
      isEnded = true
      await close().catch(() => {})
    },
  }
}
