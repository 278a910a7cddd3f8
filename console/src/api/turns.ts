/** Does some things at a time; what is given up before its turn is never begun. */
export function createTurns(atOnce: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    if (running < atOnce) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      // The place goes to the next one at once: between the two nobody else may take it.
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
