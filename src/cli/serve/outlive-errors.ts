import type { Log } from '../../base/log.ts'

const events = ['uncaughtException', 'unhandledRejection'] as const

/**
 * The last resort for an uncaught error, of a child process, a socket, a timer or a promise: it is logged, the request in
 * whose course it happened is refused, and all others are served. Whatever throws has its listener where it is made; this is
 * for the one that was forgotten, here or in a plugin.
 */
export function outliveErrors(log: Log, refuse: (error: unknown) => boolean): void {
  for (const event of events) {
    process.on(event, (err: unknown) => {
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
