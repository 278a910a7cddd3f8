import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** `fast` may lose data when the machine fails; `full` keeps all that it acknowledged, as tests of durability need. */
export type Durability = 'fast' | 'full'

export interface EmbeddedPostgres {
  readonly url: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
}

/**
 * Starts a PostgreSQL in a temporary folder. It lives no longer than this process: a guard process holds the server and
 * stops it at the end of its standard input, which comes even when this process is killed.
 */
export async function startEmbeddedPostgres(durability: Durability = 'fast'): Promise<EmbeddedPostgres> {
  const { url, stop } = await startGuard([durability])
  return { url, stop }
}

/** One of two servers, which keeps its address and its data whatever is done to it. */
export interface HeldPostgres {
  readonly url: string
  /** Ends all its processes at once, as when its machine loses power. */
  kill(): Promise<void>
  /** Has it end in order, without waiting for clients. */
  stop(): Promise<void>
  /** Settles when it takes connections. */
  start(): Promise<void>
}

export interface PostgresPair extends EmbeddedPostgres {
  readonly replicaUrl: string
  readonly primary: HeldPostgres
  readonly replica: HeldPostgres
}

/** Two of them, the second of which follows the first. */
export async function startPostgresWithReplica(): Promise<PostgresPair> {
  const { url, lines, complaints, order, stop } = await startGuard(['full', 'replica'])
  const { value: replicaUrl } = await lines.next()
  if (replicaUrl === undefined) throw new Error(`The replica did not start.\n${await complaints}`)
  const held = (address: string, at: number): HeldPostgres => ({
    url: address,
    kill: () => order(`kill ${at}`),
    stop: () => order(`stop ${at}`),
    start: () => order(`start ${at}`),
  })
  return { url, replicaUrl, primary: held(url, 0), replica: held(replicaUrl, 1), stop }
}

async function startGuard(wanted: readonly string[]) {
  const guard = spawnGuard(wanted)
  const complaints = text(guard.stderr)
  const lines = createInterface(guard.stdout)[Symbol.asyncIterator]()
  const { value: url } = await lines.next()
  if (url === undefined) throw new Error(`The embedded PostgreSQL did not start.\n${await complaints}`)

  // A process that only reads and writes the database must be able to end without stopping it.
  for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr]) handle.unref()
  return {
    url,
    lines,
    complaints,
    /** One after the other: answers come in their order. */
    async order(line: string): Promise<void> {
      guard.stdin.write(`${line}\n`)
      const { done } = await lines.next()
      if (done) throw new Error(`The guard did not ${line}.\n${await complaints}`)
    },
    async stop() {
      guard.ref()
      guard.stdin.end()
      if (guard.exitCode === null && guard.signalCode === null) await once(guard, 'exit')
    },
  }
}

/** The pipes to a child process are sockets, though their declared types say less. */
type Guard = ChildProcessByStdio<Socket, Socket, Socket>

function spawnGuard(wanted: readonly string[]): Guard {
  const program = fileURLToPath(new URL('embedded-postgres-guard.ts', import.meta.url))
  // Detached, so that Ctrl-C in a terminal ends the tests first and the server after them.
  return spawn(process.execPath, [program, ...wanted], { detached: true }) as unknown as Guard
}
