import { collectAllGarbage, limitHeapGrowth } from '../../base/garbage.ts'
import type { Log } from '../../base/log.ts'
import type { Settings } from '../../builtin-settings.ts'
import { type ExitCode, exitCodes } from '../../command/command.ts'
import { stopSignal } from '../../command/stop-signal.ts'
import { isDefaultPassword } from '../../settings/administrator-password.ts'
import { exitCodeOf } from '../command/exit-code.ts'
import { problemLine } from '../command/problem-line.ts'
import { outliveErrors } from './outlive-errors.ts'
import type { RunningServer } from './running-server.ts'
import { startFacts, startLines } from './start-lines.ts'
import { aliveMs, type Listening, type WorkerReport } from './worker-pool.ts'

// Late enough for the first requests of clients that waited for the start to pass before the pause of some 60 ms.
const quietMilliseconds = 500

/**
 * Gives the system back what loading the server left behind: some 30 MB that V8 would keep for a heap which an idle server
 * never fills again.
 */
function giveBackStartMemory(): void {
  setTimeout(collectAllGarbage, quietMilliseconds).unref()
}

/** One of the workers that share a port. It reports instead of printing: one line is enough for all of them. */
export async function serveAsWorker(settings: Settings, log: Log, start: () => Promise<RunningServer>): Promise<ExitCode> {
  const stop = stopSignal()
  await report({ kind: 'settings', workers: settings.workers, logLevel: settings.logLevel })
  const server = await Promise.race([start(), stop])
  if (server === undefined) return exitCodes.done
  outliveErrors(log, server.refuseCurrent)
  await report(listening(server, settings))
  setInterval(() => void report({ kind: 'alive' }), aliveMs).unref()
  limitHeapGrowth()
  giveBackStartMemory()
  await stop
  await server.stop()
  return exitCodes.done
}

function listening({ url, address, administratorPassword }: RunningServer, settings: Settings): Listening {
  const facts = { ...startFacts(url, settings), administratorPassword }
  const lines = startLines(facts, administratorPassword, !isDefaultPassword(settings.adminPassword))
  return { kind: 'listening', port: address.port, facts, lines }
}

/** Runs what a worker was started for. Why it cannot is told by the process that forked it. */
export async function reportingFailure(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    await report({ kind: 'failed', line: problemLine(error), code: exitCodeOf(error) })
    return exitCodeOf(error)
  }
}

function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve())
  })
}
