import { setImmediate } from 'node:timers/promises'

/**
 * Lets whatever else is waiting have its turn. A statement of the embedded database is done at once, so work that waits for
 * statements alone would not let a request in between before it is through.
 */
export function endTurn(): Promise<void> {
  return setImmediate()
}

const sliceMillis = 15

/**
 * Asked after each piece of long work: lets others have their turn once this one took its slice. Undefined until then. Where several
 * pieces are under way at once they go on one after another, each in a turn of its own: together they would hold up others as often.
 */
export function createPace(): () => Promise<void> | undefined {
  let started = performance.now()
  let last: Promise<void> | undefined
  return () => {
    if (last === undefined && performance.now() - started < sliceMillis) return undefined
    const turn = (last === undefined ? endTurn() : last.then(endTurn)).then(() => {
      started = performance.now()
      if (last === turn) last = undefined
    })
    last = turn
    return turn
  }
}
