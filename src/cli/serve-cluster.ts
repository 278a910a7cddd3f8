import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { type ExitCode, exitCodes } from './command.ts'
import { giveBackStartMemory } from './give-back-memory.ts'
import { problemLine } from './problem-line.ts'
import type { RunningServer } from './running-server.ts'
import { stopSignal } from './stop-signal.ts'
import { createWorkerPool, type WorkerReport } from './worker-pool.ts'

/** Runs worker processes that share one port, each started with the command line of this process. */
export async function serveWithWorkers(count: number, log: Log, announce: (url: string) => void): Promise<ExitCode> {
  const stop = stopSignal()
  const pool = createWorkerPool({ fork: () => cluster.fork(), log, now: Date.now, pause })
  const listening = await Promise.race([pool.start(count), stop])
  if (listening !== undefined) {
    // With port 0 a worker that comes later must find the port that the first ones were given.
    cluster.setupPrimary({ args: [...process.argv.slice(2), '--port', String(listening.port)] })
    announce(listening.url)
    await stop
  }
  return (await pool.stop()) ? exitCodes.done : exitCodes.failed
}

/** The part of one of those workers. It reports instead of printing: one line is enough for all of them. */
export async function serveAsWorker(start: () => Promise<RunningServer>): Promise<ExitCode> {
  const stop = stopSignal()
  try {
    const server = await Promise.race([start(), stop])
    if (server === undefined) return exitCodes.done
    await report({ kind: 'listening', url: server.url, port: server.address.port })
    giveBackStartMemory()
    await stop
    await server.stop()
    return exitCodes.done
  } catch (error) {
    await report({ kind: 'failed', line: problemLine(error) })
    return exitCodes.failed
  }
}

function report(message: WorkerReport): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, () => resolve())
  })
}
