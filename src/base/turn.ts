import { setImmediate } from 'node:timers/promises'

/**
 * Lets whatever else is waiting have its turn. A statement of the embedded database is done at once, so work that waits for
 * statements alone would not let a request in between before it is through.
 */
export function endTurn(): Promise<void> {
  return setImmediate()
}
