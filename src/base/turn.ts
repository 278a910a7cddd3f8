import { setImmediate } from 'node:timers/promises'

/**
 * Lets whatever else is waiting have its turn. A statement of the embedded database is done at once, so work that waits for
 * statements alone would not let a request in between before it is through.
 */
export function endTurn(): Promise<void> {
  return setImmediate()
}

const sliceMillis = 15

/** Asked after each piece of long work: lets others have their turn once this one took its slice. Undefined until then. */
export function createPace(): () => Promise<void> | undefined {
  let started = performance.now()
  return () => {
    if (performance.now() - started < sliceMillis) return undefined
    return endTurn().then(() => {
      started = performance.now()
    })
  }
}
