/** Those who ask for the same while it is made get the same. It is given up once nobody waits for it any more. */
export interface SharedRuns<Result> {
  /** @throws what making it throws, and the reason of the signal once that fires */
  run(key: string, make: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result>
}

interface SharedRun<Result> {
  readonly made: Promise<Result>
  readonly abort: AbortController
  waiting: number
}

export function createSharedRuns<Result>(): SharedRuns<Result> {
  const runs = new Map<string, SharedRun<Result>>()

  function start(key: string, make: (signal: AbortSignal) => Promise<Result>): SharedRun<Result> {
    const abort = new AbortController()
    const run: SharedRun<Result> = { made: make(abort.signal), abort, waiting: 0 }
    const end = () => {
      if (runs.get(key) === run) runs.delete(key)
    }
    run.made.then(end, end)
    runs.set(key, run)
    return run
  }

  return {
    async run(key, make, signal) {
      signal?.throwIfAborted()
      const run = runs.get(key) ?? start(key, make)
      run.waiting += 1
      const left = Promise.withResolvers<never>()
      const leave = () => left.reject(signal?.reason)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        return await (signal === undefined ? run.made : Promise.race([run.made, left.promise]))
      } finally {
        signal?.removeEventListener('abort', leave)
        run.waiting -= 1
        if (run.waiting === 0 && runs.get(key) === run) {
          // Whoever comes now starts anew rather than join what is given up.
          runs.delete(key)
          run.abort.abort(signal?.reason)
        }
      }
    },
  }
}
