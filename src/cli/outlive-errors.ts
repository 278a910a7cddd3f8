import type { EventEmitter } from 'node:events'
import type { Log } from '../base/log.ts'

const events = ['uncaughtException', 'unhandledRejection'] as const

/**
 * The last resort for an error that nobody caught, of a child process, a socket, a timer or a promise: it is logged, the request in
 * whose course it happened is refused, and everybody else is served on. Whatever throws has its listener where it is made; this is
 * for the one that was forgotten, here or in a plugin.
 */
export function outliveErrors(log: Log, refuse: (error: unknown) => boolean, source: EventEmitter = process): void {
  for (const event of events) {
    source.on(event, (err: unknown) => {
      log.error({ event: `process.${event}`, refused: isRefused(refuse, err), err }, 'an error that nobody caught')
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
