import type { EventEmitter } from 'node:events'

const stopSignals = ['SIGTERM', 'SIGINT'] as const

/**
 * Settles when the process is asked to stop. Later signals change nothing: a terminal and npm each pass the same Ctrl-C on,
 * and the second must not cut the requests that the first one waits for.
 */
export function stopSignal(source: EventEmitter = process): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of stopSignals) source.on(signal, () => resolve(undefined))
  })
}

/**
 * Tells whether the process was asked to stop since, for work that ends at a good moment. `end` removes the signal handlers
 * again.
 */
export function watchStopSignal(source: EventEmitter = process): { isStopped(): boolean; end(): void } {
  let isStopped = false
  const stop = () => {
    isStopped = true
  }
  for (const signal of stopSignals) source.on(signal, stop)
  return {
    isStopped: () => isStopped,
    end: () => {
      for (const signal of stopSignals) source.off(signal, stop)
    },
  }
}
