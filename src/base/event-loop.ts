/**
 * Lets the event loop go on with other requests. A statement of the embedded database is done at once, so work that waits for
 * statements alone would not let a request in between before it is through. Two rounds: between what a round was woken for and its
 * immediates it looks for nothing new.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(setImmediate, resolve))
}

const sliceMillis = 15

/**
 * Called after each piece of long work: yields to the event loop once the work has used its time slice. Undefined until then. Where
 * several pieces are under way at once they go on one after another, each in a round of its own: at once they would delay other
 * requests as often.
 */
export function createYieldPoint(): () => Promise<void> | undefined {
  let started = performance.now()
  let last: Promise<void> | undefined
  return () => {
    if (last === undefined && performance.now() - started < sliceMillis) return undefined
    const slice = (last === undefined ? yieldToEventLoop() : last.then(yieldToEventLoop)).then(() => {
      started = performance.now()
      if (last === slice) last = undefined
    })
    last = slice
    return slice
  }
}
