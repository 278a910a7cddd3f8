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
 * Ends this process at once when the one is gone that started it and kept a channel to it: whoever waited for the result is no more, and
 * what goes on behind the back of the next server is in its way. The function that it gives ends the watch.
 */
export function endWithStarter(
  source: Pick<NodeJS.Process, 'connected' | 'send' | 'once' | 'off' | 'exit'> = process,
): () => void {
  if (source.send === undefined) return () => {}
  const end = () => source.exit(1)
  if (!source.connected) end()
  source.once('disconnect', end)
  return () => void source.off('disconnect', end)
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
