import cluster from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../base/log.ts'
import { type ExitCode, exitCodes } from './command.ts'
import { exitCodeOf } from './exit-code.ts'
import { giveBackStartMemory } from './give-back-memory.ts'
import { outliveErrors } from './outlive-errors.ts'
import { problemLine } from './problem-line.ts'
import type { RunningServer } from './running-server.ts'
import { stopSignal } from './stop-signal.ts'
import { aliveMs, createWorkerPool, type Listening, type WorkerReport } from './worker-pool.ts'

/** Runs worker processes that share one port, each started with the command line of this process. */
export async function serveWithWorkers(count: number, log: Log, announce: (listening: Listening) => void): Promise<ExitCode> {
  const stop = stopSignal()
  outliveErrors(log, () => false)
  // Each accepts for itself from the one socket. When this process accepted and passed connections on, those on their way to a worker
  // that was killed stayed open with nobody to answer them; now the system closes what a dead process had, and a busy one takes none.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const pool = createWorkerPool({ fork: () => cluster.fork(), log, now: () => performance.now(), pause })
  setInterval(() => pool.endSilent(), aliveMs).unref()
  const listening = await Promise.race([pool.start(count), stop])
  if (listening !== undefined) {
    // With port 0 a worker that comes later must find the port that the first ones were given.
    cluster.setupPrimary({ args: [...process.argv.slice(2), '--port', String(listening.port)] })
    announce(listening)
    await stop
  }
  const isWell = await pool.stop()
  const seconds = Math.round(performance.now() / 1000)
  log.info({ event: 'server.stopped', seconds }, isWell ? 'Quire has stopped' : 'Quire has stopped, but not all of it ended well')
  return isWell ? exitCodes.done : exitCodes.failed
}

/** The part of one of those workers. It reports instead of printing: one line is enough for all of them. */
export async function serveAsWorker(start: () => Promise<RunningServer>, log: Log): Promise<ExitCode> {
  const stop = stopSignal()
  try {
    const server = await Promise.race([start(), stop])
    if (server === undefined) return exitCodes.done
    outliveErrors(log, server.refuseCurrent)
    const { url, address, administratorPassword } = server
    await report({ kind: 'listening', url, port: address.port, administratorPassword })
    setInterval(() => void report({ kind: 'alive' }), aliveMs).unref()
    giveBackStartMemory()
    await stop
    await server.stop()
    return exitCodes.done
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
