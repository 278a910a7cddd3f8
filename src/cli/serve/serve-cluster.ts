import cluster from 'node:cluster'
import type { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { collectAllGarbage, limitHeapGrowth } from '../../base/garbage.ts'
import type { Log } from '../../base/log.ts'
import { type ExitCode, exitCodes } from '../../command/command.ts'
import { stopSignal } from '../../command/stop-signal.ts'
import { exitCodeOf } from '../command/exit-code.ts'
import { problemLine } from '../command/problem-line.ts'
import type { RunningServer } from './running-server.ts'
import { aliveMs, createWorkerPool, type Listening, type WorkerReport } from './worker-pool.ts'
import { createTurnDesk } from './write-turns.ts'

// Late enough for the first requests of clients that waited for the start to pass before the pause of some 60 ms.
const quietMilliseconds = 500

/**
 * Gives the system back what loading the server left behind: some 30 MB that V8 would keep for a heap which an idle server
 * never fills again.
 */
function giveBackStartMemory(): void {
  setTimeout(collectAllGarbage, quietMilliseconds).unref()
}

const events = ['uncaughtException', 'unhandledRejection'] as const

/**
 * The last resort for an uncaught error, of a child process, a socket, a timer or a promise: it is logged, the request in
 * whose course it happened is refused, and all others are served. Whatever throws has its listener where it is made; this is
 * for the one that was forgotten, here or in a plugin.
 */
function outliveErrors(log: Log, refuse: (error: unknown) => boolean, source: EventEmitter = process): void {
  for (const event of events) {
    source.on(event, (err: unknown) => {
      log.error({ event: `process.${event}`, refused: isRefused(refuse, err), err }, 'uncaught error')
    })
  }
}

function isRefused(refuse: (error: unknown) => boolean, error: unknown): boolean {
  try {
    return refuse(error)
  } catch {
    return false
  }
}

/** Runs worker processes that share one port, each started with the command line of this process. */
export async function serveWithWorkers(count: number, log: Log, announce: (listening: Listening) => void): Promise<ExitCode> {
  const stop = stopSignal()
  outliveErrors(log, () => false)
  // Each accepts for itself from the one socket. When this process accepted and passed connections on, those on their way to a worker
  // that was killed stayed open without an answer; now the system closes what a dead process had, and a busy one takes none.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const turns = createTurnDesk()
  const pool = createWorkerPool({ fork: () => turns.serve(cluster.fork()), log, now: () => performance.now(), pause })
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
    limitHeapGrowth()
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
