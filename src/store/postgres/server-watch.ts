import pg, { type Client } from 'pg'
import type { Log } from '../../base/log.ts'
import { isAnswerOfServer } from './postgres-errors.ts'

/** Sees to it that no statement waits for a server that is gone without a word: stopped, paused, or behind a broken network. */
export interface ServerWatch {
  /** Waits for what comes over the connection. It is cut off when the server, asked over another, does not answer or knows nothing of it. */
  awaitAnswer<Result>(client: Client, work: () => Promise<Result>): Promise<Result>
  end(): void
}

export interface WatchTimes {
  /** After so long without an answer the server is asked whether it lives. */
  readonly silenceMilliseconds: number
  /** So long it may take to say so. */
  readonly answerMilliseconds: number
}

export const usualWatchTimes: WatchTimes = { silenceMilliseconds: 5_000, answerMilliseconds: 5_000 }

interface Waiting {
  readonly client: Client
  readonly since: number
}

/** Which of the server's processes are at work, as far as it can be told. */
type Working = 'none' | 'any' | readonly number[]

/**
 * A statement may take long, and its server be well; what shows that it is not is that it does not answer other connections
 * either.
 */
export function watchServer(url: string, log: Log, { silenceMilliseconds, answerMilliseconds } = usualWatchTimes): ServerWatch {
  const waiting = new Set<Waiting>()
  const suspects = new WeakSet<Waiting>()
  let isAsking = false

  async function look(): Promise<void> {
    const overdue = [...waiting].filter(({ since }) => performance.now() - since > silenceMilliseconds)
    if (isAsking || overdue.length === 0) return
    isAsking = true
    try {
      const working = await askAbout(overdue.map(({ client }) => processIdOf(client)))
      for (const one of overdue) if (waiting.has(one) && isLost(one, working)) cutOff(one.client)
    } finally {
      isAsking = false
    }
  }

  /** An answer may be on its way when the server says that it is done: only who is told so twice is lost. */
  function isLost(one: Waiting, working: Working): boolean {
    if (working === 'none' || suspects.has(one)) return working === 'none' || !isAmong(working, one.client)
    if (!isAmong(working, one.client)) suspects.add(one)
    return false
  }

  function cutOff(client: Client): void {
    log.warn({ event: 'store.connectionCutOff', silenceMilliseconds }, 'database connection cut off: the server does not answer')
    client.connection.stream.destroy(new Error('The server has not answered.'))
  }

  async function askAbout(processIds: readonly number[]): Promise<Working> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: answerMilliseconds,
      query_timeout: answerMilliseconds,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ own: number; busy: number[] }>(
        `SELECT pg_backend_pid() AS own,
                array(SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::integer[]) AND state = 'active') AS busy`,
        [processIds],
      )
      const [{ own, busy } = { own: 0, busy: [] }] = rows
      // Through a pooler the numbers are not those of the server's processes, and tell nothing.
      return own === processIdOf(client) ? busy : 'any'
    } catch (error) {
      return isAnswerOfServer(error) ? 'any' : 'none'
    } finally {
      client.connection.stream.destroy()
    }
  }

  const timer = setInterval(look, Math.min(1_000, silenceMilliseconds))
  timer.unref()
  return {
    async awaitAnswer(client, work) {
      const one = { client, since: performance.now() }
      waiting.add(one)
      try {
        return await work()
      } finally {
        waiting.delete(one)
      }
    },
    end: () => clearInterval(timer),
  }
}

function isAmong(working: Working, client: Client): boolean {
  return working === 'any' || (working !== 'none' && working.includes(processIdOf(client)))
}

/** The driver has it, though its declared types do not. */
export function processIdOf(client: Client): number {
  return (client as Client & { readonly processID?: number | null }).processID ?? 0
}
