import { setTimeout as pause } from 'node:timers/promises'
import { forkWorker, takeForkedAhead } from '../../../bin/worker-process.js'
import type { Log } from '../../base/log.ts'
import { type CommandEnvironment, type ExitCode, exitCodes } from '../../command/command.ts'
import { stopSignal } from '../../command/stop-signal.ts'
import { problemLine } from '../command/problem-line.ts'
import { keepPort } from './kept-port.ts'
import { createConnectionDesk } from './moved-connections.ts'
import { outliveErrors } from './outlive-errors.ts'
import { createMetricsDesk } from './worker-metrics.ts'
import { aliveMs, createWorkerPool, type Listening, workerFailed } from './worker-pool.ts'
import { createTurnDesk } from './write-turns.ts'

/**
 * Runs worker processes that share one port, each started with the command line of this process. The first was forked before
 * anything is read: it reads the settings and tells what this process needs of them, and what is wrong with them. When both read them, one
 * after the other, that took a third of the start.
 */
export async function watchWorkers(environment: Pick<CommandEnvironment, 'print' | 'complain'>): Promise<ExitCode> {
  try {
    return await watch((text) => environment.print(text))
  } catch (error) {
    const isTold = workerFailed.is(error)
    environment.complain(`quire: ${isTold ? error.details.line : problemLine(error)}`)
    return isTold ? error.details.code : exitCodes.failed
  }
}

async function watch(print: (text: string) => void): Promise<ExitCode> {
  const stop = stopSignal()
  const turns = createTurnDesk()
  const metrics = createMetricsDesk()
  const connections = createConnectionDesk()
  let ahead = takeForkedAhead()
  const port = keepPort((number) => {
    const worker = ahead ?? forkWorker(number === undefined ? [] : ['--port', String(number)])
    ahead = undefined
    return worker
  })
  const pool = createWorkerPool({
    fork: () => connections.serve(metrics.serve(turns.serve(port.fork()))),
    openLog: async (level) => (await import('../command/log.ts')).createLog(level, process.stderr),
    now: () => performance.now(),
    pause,
  })
  setInterval(() => pool.endSilent(), aliveMs).unref()
  const started = await Promise.race([pool.start(), stop])
  if (started === undefined) return (await pool.stop()) ? exitCodes.done : exitCodes.failed
  const { listening, log } = started
  outliveErrors(log, () => false)
  announce(listening, log, print)
  await stop
  const isWell = await pool.stop()
  const seconds = Math.round(performance.now() / 1000)
  log.info({ event: 'server.stopped', seconds }, isWell ? 'Quire has stopped' : 'Quire has stopped, but not all of it ended well')
  return isWell ? exitCodes.done : exitCodes.failed
}

function announce({ lines, facts }: Listening, log: Log, print: (text: string) => void): void {
  print(lines)
  // On a terminal it was just printed.
  if (!process.stderr.isTTY) log.info({ event: 'server.started', ...facts }, 'Quire has started')
}
