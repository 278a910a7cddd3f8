import { collectAllGarbage, limitHeapGrowth } from '../../base/garbage.ts'
import type { Log } from '../../base/log.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type ExitCode, exitCodes } from '../../command/command.ts'
import { stopSignal } from '../../command/stop-signal.ts'
import { isDefaultPassword } from '../../settings/administrator-password.ts'
import { outliveErrors } from './outlive-errors.ts'
import type { RunningServer } from './running-server.ts'
import { startFacts, startLines } from './start-lines.ts'
import { aliveMs, type Listening, type WorkerReport } from './worker-pool.ts'

// Late enough for the first requests of clients that waited for the start to pass before the pause of some 60 ms.
const quietMilliseconds = 500

/**
 * Once the server has started: gives the system back what loading it left behind, some 30 MB that V8 would keep for a heap which an
 * idle server never fills again. What was compiled is kept before that, as code is only good for the options of V8 that it was
 * compiled with, and those of its heap are among them.
 */
function tidyUp(keepCompiled: () => void): void {
  keepCompiled()
  limitHeapGrowth()
  collectAllGarbage()
}

/**
 * Node ends a worker with the process that forked it, but not while a connection is on its way there: of that it waits to hear that it
 * has come. What goes on behind the back of the next server answers its clients.
 */
function endWithWatcher(): void {
  setInterval(() => {
    if (!process.connected) process.exit(exitCodes.failed)
  }, lookMilliseconds).unref()
}

const lookMilliseconds = 1_000

export interface WorkerPart {
  readonly settings: Settings
  readonly log: Log
  start(): Promise<RunningServer>
  keepCompiled(): void
}

/** One of the workers that share a port. It reports instead of printing: one line is enough for all of them. */
export async function serveAsWorker({ settings, log, start, keepCompiled }: WorkerPart): Promise<ExitCode> {
  const stop = stopSignal()
  endWithWatcher()
  await report({ kind: 'settings', workers: settings.workers, logLevel: settings.logLevel })
  const server = await Promise.race([start(), stop])
  if (server === undefined) return exitCodes.done
  outliveErrors(log, server.refuseCurrent)
  await report(listening(server, settings))
  setInterval(() => void report({ kind: 'alive' }), aliveMs).unref()
  setTimeout(() => tidyUp(keepCompiled), quietMilliseconds).unref()
  await stop
  await server.stop()
  keepCompiled() // that may have been a short life
  return exitCodes.done
}

function listening(server: RunningServer, settings: Settings): Listening {
  const { address, administratorPassword } = server
  const facts = { ...startFacts(server, settings), administratorPassword }
  const lines = startLines(facts, administratorPassword, !isDefaultPassword(settings.adminPassword))
  return { kind: 'listening', port: address.port, facts, lines }
}

export function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve())
  })
}
