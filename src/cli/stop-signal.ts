import type { EventEmitter } from 'node:events'

/**
 * Settles when the process is asked to stop. Later signals change nothing: a terminal and npm each pass the same Ctrl-C on,
 * and the second must not cut the requests that the first one waits for.
 */
export function stopSignal(source: EventEmitter = process): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT']) source.on(signal, () => resolve(undefined))
  })
}
