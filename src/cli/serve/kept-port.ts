import type { WorkerReport } from './worker-pool.ts'

/** As much of a `cluster.Worker` as keeping the port needs. */
interface PortWorker {
  readonly process: { kill(signal: NodeJS.Signals): unknown }
  on(event: 'message', listener: (report: WorkerReport) => void): unknown
  on(event: 'exit', listener: () => void): unknown
}

/**
 * Keeps the port that the first workers were given when any was asked for. The socket behind it is found by what a worker asks for, and
 * lives as long as one of those who asked alike: while there is one, a worker that comes later must ask as they did, and afterwards by
 * number. When the last of them ends while another is on its way, that one is given some other port: it is ended, to be replaced.
 */
export function keepPort<Worker extends PortWorker>(fork: (port: number | undefined) => Worker): { fork(): Worker } {
  const sharing = new Set<Worker>()
  let kept: number | undefined
  return {
    fork() {
      const byNumber = sharing.size === 0 ? kept : undefined
      const worker = fork(byNumber)
      worker.on('message', (report) => {
        if (report.kind !== 'listening') return
        kept ??= report.port
        if (report.port !== kept) worker.process.kill('SIGKILL')
        else if (byNumber === undefined) sharing.add(worker)
      })
      worker.on('exit', () => sharing.delete(worker))
      return worker
    },
  }
}
