import cluster from 'node:cluster'

// Megabytes. Left to itself V8 gives what was made a moment ago twice 32, and an idle server keeps them once they were used. It would
// begin with one, and collecting that again and again while the program loads took an eighth of a start.
const youngGeneration = ['--min-semi-space-size=8', '--max-semi-space-size=16']

/**
 * Whether what was typed behind `quire` starts a server, for which this process watches over workers.
 * @param {readonly string[]} argv
 */
export function asksToServe([name, ...rest]) {
  return cluster.isPrimary && name === 'serve' && !rest.includes('--help') && !rest.includes('-h')
}

/** Forks a worker with the command line of this process, and more. @param {readonly string[]} more */
export function forkWorker(more = []) {
  // Each accepts for itself from the one socket. When this process accepted and passed connections on, those on their way to a worker
  // that was killed stayed open without an answer; now the system closes what a dead process had, and a busy one takes none.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({
    execArgv: [...youngGeneration, ...process.execArgv],
    args: [...process.argv.slice(2), ...more],
  })
  return cluster.fork()
}

/**
 * Forks the first worker before this process knows what it runs itself: Node.js starts in the one while the other looks at the sources
 * and loads. That took a tenth of a start. The worker waits for what came of the look (`bundle-current.js`).
 */
export function forkAhead() {
  process.env.BUNDLED_QUIRE = `${process.pid} later`
  try {
    forkWorker().on('error', () => {}) // what cannot be started is not taken, and the next attempt tells why
  } catch {
    // likewise
  }
}

/** The worker that was forked ahead, unless it has died. Whoever takes it hears all that it says: it goes on from here. */
export function takeForkedAhead() {
  const worker = Object.values(cluster.workers ?? {}).find((forked) => forked?.process.pid !== undefined)
  worker?.send({ kind: 'bundled', word: process.env.BUNDLED_QUIRE }, undefined, undefined, () => {})
  return worker
}
